import type { JsonObject } from "claw-contract";
import { expect, test } from "vitest";
import { createCallBook } from "./call-book.ts";
import { createRolloutCalls } from "./codex-calls.ts";

const item = (payload: object, timestamp = "t1") => ({ type: "response_item", timestamp, payload });
const call = (id: string) => item({ type: "function_call", call_id: id });
const output = (id: string, at: string) => item({ type: "function_call_output", call_id: id }, at);

test("the model is asked once all tools that it called have given something back", () => {
  const read = createRolloutCalls("t");
  const kinds = [call("a"), call("b"), output("a", "t2"), output("b", "t3")].map((line) =>
    read(line).map((fact) => (fact.kind === "asked" ? fact.id : fact.kind)),
  );
  expect(kinds).toEqual([[], [], [], ["settled", "t3"]]);
});

test("older versions tell a call by their counts alone", () => {
  const info = {
    total_token_usage: { input_tokens: 30, cached_input_tokens: 10, output_tokens: 4, total_tokens: 34 },
    last_token_usage: { input_tokens: 20, cached_input_tokens: 10, output_tokens: 2, total_tokens: 22 },
  };
  const [counted] = createRolloutCalls("t")({ type: "event_msg", payload: { type: "token_count", info } });
  const tokens = { input: 10, output: 2, cacheRead: 10, cacheWritten: 0, cacheHour: 0 };
  expect(counted).toEqual({
    kind: "call",
    call: { id: "t:34", thread: "t", model: null, tokens, isFinal: true, via: "count" },
  });
});

const usage = (input: number) => ({ input_tokens: input, output_tokens: 4, total_tokens: input + 4 });
const record = (sum: number, input: number) => ({
  type: "token_usage_record",
  payload: { thread_token_usage: { total_tokens: sum }, usage: usage(input) },
});
const count = (sum: number, input: number) => ({
  type: "event_msg",
  payload: { type: "token_count", info: { total_token_usage: { total_tokens: sum }, last_token_usage: usage(input) } },
});

test("a call that is recorded and counted counts once, also when the sums differ since a call was not counted", () => {
  const [read, book] = [createRolloutCalls("t"), createCallBook()];
  const killed = [record(16, 12), count(16, 12), count(16, 12), record(48, 28), count(48, 28), record(112, 60)];
  // The thread is gone on with: its counts know nothing of the last record.
  const resumed = [record(240, 124), count(176, 124), count(304, 124), record(368, 124), count(432, 124)];
  const counted = [...killed, ...resumed].flatMap((line) => read(line).flatMap((fact) => book.take(fact)));
  expect(counted.map(({ tokens }) => tokens.input)).toEqual([12, 28, 60, 124, 124, 124]);
});

const openAfter = (...read: object[]): readonly string[] => {
  const [calls, book] = [createRolloutCalls("t"), createCallBook()];
  for (const line of read) for (const fact of calls(line as JsonObject)) book.take(fact);
  return book.close();
};

test("a question stays open until its own answer is counted, whatever is counted of the call before it", () => {
  const prompt = item({ type: "message", role: "user" }, "t1");
  const answer = item({ type: "message", role: "assistant" });
  const lines = [prompt, call("a"), record(16, 12), output("a", "t2"), count(16, 12), count(16, 12), answer];
  expect(lines.map((_, index) => openAfter(...lines.slice(0, index + 1)).join())).toEqual([
    "t?t1",
    "t?t1",
    "",
    "t?t2",
    "t?t2",
    "t?t2",
    "t?t2",
  ]);
  expect(openAfter(...lines, record(48, 28))).toEqual([]);
  // Versions without records count behind the answer.
  expect(openAfter(...lines, count(48, 28))).toEqual([]);
  expect(openAfter(prompt, call("a"), output("a", "t2"), count(16, 12))).toEqual(["t?t2"]);
});

test("a turn that is aborted cuts off the question that is open, and what is written down of the abort asks nothing", () => {
  const note = item(
    { type: "message", role: "user", content: [{ type: "input_text", text: "<turn_aborted>\n…" }] },
    "t8",
  );
  const aborted = { type: "event_msg", payload: { type: "turn_aborted" } };
  const start = [item({ type: "message", role: "user" }, "t1"), call("a"), record(16, 12)];
  const atTool = item(
    { type: "function_call_output", call_id: "a", output: "Wall time: 0.7 seconds\naborted by user" },
    "t2",
  );
  expect(openAfter(...start, atTool, count(16, 12), note, aborted)).toEqual([]);
  const said = "Chunk ID: c\nWall time: 0.7 seconds\nOutput:\naborted by user";
  const byCommand = item({ type: "function_call_output", call_id: "a", output: said }, "t2");
  expect(openAfter(...start, byCommand)).toEqual(["t?t2"]);
  const next = [item({ type: "message", role: "user" }, "t9"), record(48, 28)];
  expect(openAfter(...start, output("a", "t2"), count(16, 12), note, aborted, ...next)).toEqual(["t?t2"]);
  // The abort repeats the last count, although the model had begun to answer another question.
  const answering = [...start, output("a", "t2"), count(16, 12), call("b")];
  expect(openAfter(...answering, count(16, 12), note, aborted, ...next)).toEqual(["t?t2"]);
});

test("a count without a sum, and lines of other kinds, tell nothing", () => {
  const read = createRolloutCalls("t");
  expect(read({ type: "event_msg", payload: { type: "token_count", info: null } })).toEqual([]);
  expect(read({ type: "world_state", payload: {} })).toEqual([]);
  expect(read({})).toEqual([]);
});
