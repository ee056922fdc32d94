import type { SessionMessage } from "claw-contract";
import { expect, test } from "vitest";
import { estimateTokens } from "../../sessions/index.ts";
import { estimateRequest } from "./estimate-request.ts";

const said = (role: "user" | "tool", chars: number): SessionMessage => ({
  role,
  blocks: [{ type: "text", text: "x".repeat(chars) }],
});
const answered = (chars: number): SessionMessage => ({
  role: "assistant",
  blocks: [{ type: "text", text: "y".repeat(chars) }],
  usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
});
const sum = (...messages: SessionMessage[]): number =>
  messages.reduce((tokens, message) => tokens + estimateTokens(message), 0);
const FIXED = ["system", "", '[{"name":"look"}]'];
const fixed = estimateTokens({ role: "user", blocks: [{ type: "text", text: FIXED.join("\n") }] });

test("a first request is all that is sent", () => {
  const messages = [said("user", 4000)];
  expect(estimateRequest({ messages, fixed: FIXED, lastRequestTokens: 0 })).toBe(sum(...messages) + fixed);
});

test("a later one is what the last weighed, and what came since its answer", () => {
  const since = [said("tool", 800), said("user", 40)];
  const messages = [said("user", 4000), answered(400), said("user", 4), answered(8), ...since];
  expect(estimateRequest({ messages, fixed: FIXED, lastRequestTokens: 5000 })).toBe(5000 + sum(...since));
  expect(estimateRequest({ messages: [answered(8)], fixed: FIXED, lastRequestTokens: 1 })).toBe(1);
});

test("behind a compaction everything that is left is counted again", () => {
  const messages = [answered(40_000), said("tool", 800)];
  expect(estimateRequest({ messages, fixed: FIXED, lastRequestTokens: 0 })).toBe(sum(...messages) + fixed);
});

test("a size that no message of the conversation bears out is not believed", () => {
  const messages = [said("user", 4000)];
  expect(estimateRequest({ messages, fixed: FIXED, lastRequestTokens: 10 })).toBe(sum(...messages) + fixed);
});
