import { expect, test } from "vitest";
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
    call: { id: "t:34", thread: "t", model: null, tokens, isFinal: true },
  });
});

test("a count without a sum, and lines of other kinds, tell nothing", () => {
  const read = createRolloutCalls("t");
  expect(read({ type: "event_msg", payload: { type: "token_count", info: null } })).toEqual([]);
  expect(read({ type: "world_state", payload: {} })).toEqual([]);
  expect(read({})).toEqual([]);
});
