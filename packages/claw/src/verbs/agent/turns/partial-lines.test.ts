import type { JsonObject } from "claw-contract";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../agent/index.ts";
import { createPartialLines } from "./partial-lines.ts";
import type { StreamLine } from "./stream-lines.ts";

const USAGE = { input_tokens: 9, output_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const text = (said: string, agent?: string): TurnEvent => ({
  kind: "model",
  event: { kind: "text", text: said },
  ...(agent === undefined ? {} : { agent }),
});
const call: TurnEvent = { kind: "model", event: { kind: "tool-call", id: "t1", name: "bash" } };
const input: TurnEvent = { kind: "model", event: { kind: "tool-input", id: "t1", text: '{"command":"ls"}' } };
const whole: TurnEvent = { kind: "assistant", blocks: [], stopReason: "tool_use", usage: USAGE };
const retry: TurnEvent = {
  kind: "model",
  event: { kind: "retry", attempt: 1, maxAttempts: 3, delayMs: 1, status: 529, reason: "busy" },
};

/** The lines for events, with `WHOLE` where the lines that an event has anyway stand. */
function told(...events: TurnEvent[]): (StreamLine | "WHOLE")[] {
  const partial = createPartialLines({ sessionId: "s", model: "m" });
  const lines = events.flatMap((event) => {
    const { before, after } = partial.take(event);
    return [...before, "WHOLE" as const, ...after];
  });
  return [...lines, ...partial.end()];
}

const eventOf = (line: StreamLine | "WHOLE"): unknown => (line === "WHOLE" ? line : line["event"]);
const typeOf = (line: StreamLine | "WHOLE"): unknown =>
  line === "WHOLE" ? line : (line["event"] as JsonObject)["type"];

test("a message is told as it is said: its beginning, its blocks with their pieces, and its end behind the whole", () => {
  const lines = told(text("Hel"), text("lo"), call, input, whole).filter((line) => line !== "WHOLE");
  expect(lines.map(eventOf)).toEqual([
    {
      type: "message_start",
      message: expect.objectContaining({ role: "assistant", model: "m", content: [] }) as object,
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "bash", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ]);
  const ids = new Set(lines.map((line) => line["api_message_id"]));
  expect([ids.size, lines[0]]).toMatchObject([
    1,
    { type: "stream_event", session_id: "s", parent_tool_use_id: null, uuid: expect.any(String) as string },
  ]);
});

test("a message that is asked for again, or cut off by the end, is said to be abandoned", () => {
  const lines = told(text("half"), retry, text("again"));
  expect(lines.map(typeOf)).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "WHOLE",
    "content_block_stop",
    "message_stop",
    "WHOLE",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "WHOLE",
    "content_block_stop",
    "message_stop",
  ]);
  const stops = lines.flatMap((line) => (line !== "WHOLE" && typeOf(line) === "message_stop" ? [line] : []));
  expect(stops.map((line) => line["abandoned_blocks"])).toEqual(
    stops.map((line) => ({ api_message_id: line["api_message_id"], from_block_index: 0 })),
  );
});

test("sub-agents that speak at once have messages of their own", () => {
  const lines = told(text("a", "call-1"), text("b", "call-2"), { ...whole, agent: "call-1" });
  const stop = lines.find(
    (line) => line !== "WHOLE" && typeOf(line) === "message_stop" && !("abandoned_blocks" in line),
  );
  expect(stop).toMatchObject({ parent_tool_use_id: "call-1" });
});
