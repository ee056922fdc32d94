import { expect, test } from "vitest";
import { AnthropicAnswer } from "./anthropic-answer.ts";

function read(...given: unknown[]) {
  const events: unknown[] = [];
  const answer = new AnthropicAnswer((event) => void events.push(event));
  const wrong = given.flatMap((event) => answer.take(event) ?? []);
  return { whole: answer.whole(), events, wrong };
}

const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, given: object) => ({ type: "content_block_delta", index, delta: given });
const stop = { type: "message_stop" };

test("blocks stand in the order they began, and a tool without input has an empty one", () => {
  const { whole } = read(
    start(0, { type: "text", text: "" }),
    start(1, { type: "tool_use", id: "t", name: "bash", input: {} }),
    delta(0, { type: "text_delta", text: "a" }),
    stop,
  );
  expect(whole?.blocks).toEqual([
    { type: "text", text: "a" },
    { type: "tool_use", id: "t", name: "bash", input: "{}" },
  ]);
});

test("hidden thoughts are kept as they came", () => {
  const { whole, events } = read(start(0, { type: "redacted_thinking", data: "hidden" }), stop);
  expect([whole?.blocks, events]).toEqual([[{ type: "thinking", thinking: "", redacted: "hidden" }], []]);
});

test("kinds of blocks, deltas and events that nobody knows yet are passed over", () => {
  const { whole, events, wrong } = read(
    { type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1, new_tokens: 9 } } },
    start(0, { type: "hologram", text: "x" }),
    delta(0, { type: "hologram_delta", text: "y" }),
    { type: "something_new" },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5, input_tokens: null } },
    stop,
  );
  expect([events, wrong]).toEqual([[], []]);
  expect(whole).toEqual({
    blocks: [],
    stopReason: "end_turn",
    usage: { input_tokens: 3, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  });
});

test.each([
  ["an event that is no object", null, "an event has no type"],
  ["an event without a type", {}, "an event has no type"],
  ["a delta of no block", delta(3, { type: "text_delta", text: "a" }), "a delta belongs to no block"],
  ["a call without a name", start(0, { type: "tool_use", id: "t" }), "a tool call has no id or no name"],
])("%s is wrong", (_name, event, why) => {
  expect(read(event).wrong).toEqual([why]);
});

test("a message that has not ended is not whole", () => {
  expect(read(start(0, { type: "text", text: "a" })).whole).toBeUndefined();
});
