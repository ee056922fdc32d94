import { expect, test } from "vitest";
import { createRunReader } from "../stream/create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";

test("an event is kept although blanks stand around it that JSON does not know", () => {
  const reader = createRunReader(HARNESSES["claude-code"], {});
  reader.push(Buffer.from('\u00a0\u2003{"type":"odd"}\u3000\n'));
  const evidence = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 1 } as const;
  expect(reader.finish(evidence).raw_messages).toEqual([{ type: "odd" }]);
});
