import { describe, expect, test } from "vitest";
import { OpenAiAnswer } from "./openai-answer.ts";

/** What chunks with these deltas make. */
function read(...chunks: unknown[]) {
  const events: unknown[] = [];
  const answer = new OpenAiAnswer((event) => void events.push(event));
  const wrong = chunks.flatMap((chunk) => answer.take(chunk) ?? []);
  return { whole: answer.whole(), events, wrong };
}

const delta = (given: object, finish: string | null = null) => ({ choices: [{ delta: given, finish_reason: finish }] });
const piece = (given: object) => delta({ tool_calls: [given] });
const end = (reason: string) => delta({}, reason);

describe("servers that go their own way", () => {
  test("number no calls, but give each an id", () => {
    const { whole } = read(
      piece({ index: 0, id: "a", function: { name: "one", arguments: '{"x":1}' } }),
      piece({ index: 0, id: "b", function: { name: "two", arguments: '{"y":2}' } }),
      end("stop"),
    );
    expect(whole?.blocks).toEqual([
      { type: "tool_use", id: "a", name: "one", input: '{"x":1}' },
      { type: "tool_use", id: "b", name: "two", input: '{"y":2}' },
    ]);
    expect(whole?.stopReason).toBe("tool_use");
  });

  test("send pieces of several calls in turn", () => {
    const { whole } = read(
      piece({ index: 0, id: "a", function: { name: "one", arguments: "" } }),
      piece({ index: 1, id: "b", function: { name: "two", arguments: "" } }),
      piece({ index: 0, function: { arguments: "{}" } }),
      piece({ index: 1, function: { arguments: "[" } }),
      end("tool_calls"),
    );
    expect(whole?.blocks.map((block) => (block.type === "tool_use" ? block.input : ""))).toEqual(["{}", "["]);
  });

  test("give calls no id", () => {
    const call = { function: { name: "one", arguments: "{}" } };
    const ids = [read(piece(call), end("stop")), read(piece(call), end("stop"))].map(({ whole }) => whole?.blocks[0]);
    const [first, second] = ids.map((block) => (block?.type === "tool_use" ? block.id : ""));
    expect([first === second, first]).toEqual([false, expect.stringMatching(/^call_./)]);
  });

  test("count what is cached in ways of their own", () => {
    const count = (usage: object) => read(end("stop"), { choices: [], usage }).whole?.usage;
    const details = { cached_tokens: 60, cache_write_tokens: 30 };
    expect(count({ prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: details })).toEqual({
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
    });
    expect(count({ prompt_tokens: 100, prompt_cache_hit_tokens: 40 })).toMatchObject({
      input_tokens: 60,
      cache_read_input_tokens: 40,
    });
    expect(count({ prompt_tokens: "many", completion_tokens: -1, prompt_tokens_details: null })).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
    });
  });

  test("refuse in a field of its own", () => {
    const { whole, events } = read(delta({ refusal: "I will not." }), end("stop"));
    expect([whole?.stopReason, whole?.blocks]).toEqual(["refusal", [{ type: "text", text: "I will not." }]]);
    expect(events).toEqual([{ kind: "text", text: "I will not." }]);
  });
});

test.each([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["content_filter", "refusal"],
  ["something_new", "something_new"],
])("%s is %s", (finish, reason) => {
  expect(read(end(finish)).whole?.stopReason).toBe(reason);
});

test.each([null, 7, "text", []])("a chunk that is %j is wrong", (chunk) => {
  expect(read(chunk).wrong).toEqual(["a chunk is no object"]);
});

test.each([{}, { choices: null }, { choices: [null] }, delta({ content: 7, tool_calls: "x" })])(
  "a chunk that says nothing, %j, is passed over",
  (chunk) => {
    expect(read(chunk)).toEqual({ whole: undefined, events: [], wrong: [] });
  },
);

test("a call without a name is wrong", () => {
  expect(read(piece({ index: 0, function: { arguments: "{}" } })).wrong).toEqual(["a tool call has no name"]);
});
