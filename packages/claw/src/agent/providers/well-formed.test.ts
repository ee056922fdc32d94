import { expect, test } from "vitest";
import { anthropicRequest } from "./anthropic/anthropic-request.ts";
import { openAiRequest } from "./openai/openai-request.ts";
import { assistant, call, request, result, user } from "./testing/ask.ts";
import { wellFormed } from "./well-formed.ts";

const HALF = "🙂".slice(0, 1);

test("whole characters stay, and a half becomes a sign that something is missing", () => {
  expect([wellFormed("a🙂é"), wellFormed(`a${HALF}b`)]).toEqual(["a🙂é", "a\uFFFDb"]);
});

test.each([
  ["Messages", (given: ReturnType<typeof request>) => anthropicRequest(given)],
  ["Chat Completions", (given: ReturnType<typeof request>) => openAiRequest(given, true)],
] as const)("no request to %s holds half a character", (_name, translate) => {
  const messages = [user(`a${HALF}`), assistant({ type: "text", text: HALF }, call("1")), result("1", `x${HALF}`)];
  const sent = JSON.stringify(translate(request({ system: [`s${HALF}`], messages })));
  expect(sent).not.toMatch(/\\ud[89a-f]/i);
  expect(sent.match(/\uFFFD/g)).toHaveLength(4);
});
