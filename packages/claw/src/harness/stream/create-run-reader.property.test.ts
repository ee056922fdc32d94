import type { RunResult } from "claw-contract";
import { createRedactor, HARNESS_IDS } from "claw-contract";
import { RunResult as ResultSchema } from "claw-contract/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import type { ExitEvidence, RunItem } from "./run-reader.ts";
import { createMemorySpool } from "../testing/memory-spool.ts";
import type { Mutant } from "../testing/mutations.ts";
import { anyCuts, anyOddStream, anyTornStream, cutAt } from "../testing/mutations.ts";

const ENDED: ExitEvidence = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 1 };

const anyHarness = fc.constantFrom(...HARNESS_IDS);
const anyMutant = fc.oneof(anyTornStream, anyOddStream);

interface Reading {
  readonly result: RunResult;
  readonly items: readonly RunItem[];
}

function read(harness: (typeof HARNESS_IDS)[number], chunks: readonly Uint8Array[]): Reading {
  const reader = createRunReader(HARNESSES[harness]);
  const items = chunks.flatMap((chunk) => {
    const completed = reader.push(chunk);
    reader.progress();
    return completed;
  });
  items.push(...reader.end());
  return { result: reader.finish(ENDED), items };
}

/** The objects of a stream, read in the plainest way there is. */
function objectsIn(bytes: Uint8Array): unknown[] {
  const text = Buffer.from(bytes)
    .toString()
    .replace(/^\uFEFF/, "");
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line.trim());
      return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

const readMutant = ({ recording, bytes }: Mutant): Reading => read(recording.harness, [bytes]);

describe("a stream of whatever bytes", () => {
  test("is read without an exception and comes to a result of its schema", () => {
    fc.assert(
      fc.property(anyHarness, fc.uint8Array({ maxLength: 500 }), (harness, bytes) => {
        expect(ResultSchema.safeParse(read(harness, [bytes]).result).error).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  test("that was a recording comes to a result of its schema, whoever is said to have written it", () => {
    fc.assert(
      fc.property(anyMutant, anyHarness, ({ bytes }, harness) => {
        const { result, items } = read(harness, [bytes]);
        expect(ResultSchema.safeParse(result).error).toBeUndefined();
        expect(JSON.stringify([result, items.map(({ messages }) => messages)])).toMatch(/^\[/);
      }),
      { numRuns: 100 },
    );
  });

  test("loses no line that is an object", () => {
    fc.assert(
      fc.property(anyMutant, (mutant) => {
        const objects = objectsIn(mutant.bytes);
        const { result, items } = readMutant(mutant);
        expect(result.raw_messages).toEqual(objects);
        expect(result.raw_messages_count).toBe(objects.length);
        const natives = items.map(({ native }) => native).filter((native) => Object.keys(native).length > 0);
        expect(natives).toEqual(objects.filter((object) => Object.keys(object as object).length > 0));
      }),
      { numRuns: 150 },
    );
  });

  test("tells of every line that is no JSON", () => {
    fc.assert(
      fc.property(anyTornStream, ({ recording, bytes }) => {
        const lines = Buffer.from(bytes)
          .toString()
          .replace(/^\uFEFF/, "")
          .split("\n");
        const broken = lines.filter((line) => line.trim() !== "" && !isJson(line.trim())).length;
        const { warnings, diagnostics } = read(recording.harness, [bytes]).result;
        const isTold = (text: string): boolean => /malformed .*stream-json line/.test(text);
        expect([warnings.filter(isTold).length, diagnostics.filter(isTold).length]).toEqual([broken, broken]);
      }),
      { numRuns: 100 },
    );
  });

  test("comes to the same result and the same messages however its bytes are cut into chunks", () => {
    fc.assert(
      fc.property(anyMutant, anyCuts, ({ recording, bytes }, cuts) => {
        const whole = read(recording.harness, [bytes]);
        const pieces = read(recording.harness, cutAt(bytes, cuts));
        expect(pieces.result).toEqual(whole.result);
        expect(pieces.items.map(({ messages }) => messages)).toEqual(whole.items.map(({ messages }) => messages));
      }),
      { numRuns: 150 },
    );
  });

  test("is masked and spooled line for line as it is read in one piece, and nothing of it is lost", () => {
    fc.assert(
      fc.property(anyMutant, anyCuts, ({ recording, bytes }, cuts) => {
        const readSpooled = (chunks: readonly Uint8Array[]) => {
          const spool = createMemorySpool();
          const redactor = createRedactor({ secrets: ["claude", "thread"] });
          const reader = createRunReader(HARNESSES[recording.harness], { redactor, spool, maxEventsBytes: 500 });
          for (const chunk of chunks) reader.push(chunk);
          reader.end();
          return { result: reader.finish(ENDED), lines: spool.lines };
        };
        const whole = readSpooled([bytes]);
        expect(readSpooled(cutAt(bytes, cuts))).toEqual(whole);
        const count = objectsIn(bytes).length;
        const { raw_messages, raw_messages_path, raw_messages_count } = whole.result;
        const isSpooled = raw_messages_path !== undefined;
        expect([isSpooled ? whole.lines.length : raw_messages.length, raw_messages_count]).toEqual([count, count]);
      }),
      { numRuns: 150 },
    );
  });

  test("comes to the same result byte by byte", () => {
    fc.assert(
      fc.property(anyTornStream, ({ recording, bytes }) => {
        const single = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1));
        expect(read(recording.harness, single).result).toEqual(read(recording.harness, [bytes]).result);
      }),
      { numRuns: 20 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
