import { expect, test } from "vitest";
import { createRunReader } from "../stream/create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";

const WELL = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 1 } as const;

test("an event is kept although blanks stand around it that JSON does not know", () => {
  const reader = createRunReader(HARNESSES["claude-code"], {});
  reader.push(Buffer.from('\u00a0\u2003{"type":"odd"}\u3000\n'));
  expect(reader.finish(WELL).raw_messages).toEqual([{ type: "odd" }]);
});

test("a result without events counts them all the same", () => {
  const lines = '{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}\n{"odd":1}\n';
  const read = (includesEvents: boolean) => {
    const reader = createRunReader(HARNESSES["claude-code"], { includesEvents });
    reader.push(Buffer.from(lines));
    return reader.finish(WELL);
  };
  const whole = read(true);
  expect([whole.raw_messages.length, whole.stream_events.length]).toEqual([2, 1]);
  expect(read(false)).toEqual({ ...whole, raw_messages: [], stream_events: [] });
});
