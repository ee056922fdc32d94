import { expect, test } from "vitest";
import type { TurnEvent } from "../../../agent/index.ts";
import { createTurnRecorder } from "./run-in-session.ts";

const NO_USAGE = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const asked = (...ids: string[]): TurnEvent => ({
  kind: "assistant",
  blocks: ids.map((id) => ({ type: "tool_use", id, name: "read_file", input: "{}" })),
  stopReason: "tool_use",
  usage: NO_USAGE,
});
const done = (id: string): TurnEvent => ({ kind: "tool-result", id, name: "read_file", output: id, isError: false });
const denied = (id: string): TurnEvent => ({
  kind: "denied",
  denial: { tool_name: "read_file", tool_use_id: id, tool_input: {}, reason: "no" },
});

test("results and denials stand in the order of the calls, whichever ended first", () => {
  const recorder = createTurnRecorder();
  const first = [asked("a", "b", "c"), denied("c"), done("c"), denied("a"), done("b"), done("a")];
  for (const event of first) recorder.add(event);
  for (const event of [asked("d"), done("d")]) recorder.add(event);
  expect(recorder.record.tool_results.map(({ tool_use_id }) => tool_use_id)).toEqual(["a", "b", "c", "d"]);
  expect(recorder.record.permission_denials.map(({ tool_use_id }) => tool_use_id)).toEqual(["a", "c"]);
});

test("of sub-agents only denials are told, with the call that started them", () => {
  const recorder = createTurnRecorder();
  const nested = [asked("x"), denied("x"), done("x")].map((event) => ({ ...event, agent: "a" }));
  for (const event of [asked("a", "b"), denied("b"), ...nested, done("b"), done("a")]) recorder.add(event);
  expect(recorder.record.tool_uses.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(recorder.record.tool_results.map(({ tool_use_id }) => tool_use_id)).toEqual(["a", "b"]);
  expect(recorder.record.permission_denials.map(({ tool_use_id }) => tool_use_id)).toEqual(["x", "b"]);
});
