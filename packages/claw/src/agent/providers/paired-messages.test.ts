import { expect, test } from "vitest";
import { pairedMessages, wellFormed } from "./paired-messages.ts";
import { assistant, call, result, user, request } from "./testing/ask.ts";
import { anthropicRequest } from "./anthropic/anthropic-request.ts";
import { openAiRequest } from "./openai/openai-request.ts";

test("a conversation in order stays as it is", () => {
  const messages = [user("a"), assistant(call("1"), call("2")), result("1", "x"), result("2", "y"), user("b")];
  const paired = pairedMessages(messages);
  expect(paired.every((message, index) => message === messages[index])).toBe(true);
  expect(paired).toHaveLength(messages.length);
});

test("a call without a result gets one that says it was lost, before anything else is said", () => {
  const messages = [user("a"), assistant(call("1"), call("2")), result("2", "y"), user("b"), assistant(call("3"))];
  const lost = (id: string) => ({
    role: "tool",
    blocks: [
      {
        type: "tool_result",
        tool_use_id: id,
        tool_name: "read_file",
        output: "The result of this call was not recorded.",
        is_error: true,
      },
    ],
  });
  expect(pairedMessages(messages)).toEqual([...messages.slice(0, 3), lost("1"), ...messages.slice(3), lost("3")]);
});

test("a result without its call, or a second one, is left out", () => {
  const messages = [result("0", "w"), user("a"), assistant(call("1")), result("1", "x"), result("1", "x again")];
  expect(pairedMessages(messages)).toEqual(messages.slice(1, 4));
});

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
