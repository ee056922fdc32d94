import { describe, expect, test } from "vitest";
import { jsonLines } from "../../process/testing/json-lines.ts";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import type { Expected, Recording } from "../testing/recordings.ts";
import { comparable, EXPECTED, RECORDINGS } from "../testing/recordings.ts";

function read({ harness, bytes, evidence }: Recording) {
  const reader = createRunReader(HARNESSES[harness]);
  reader.push(bytes);
  return reader.finish(evidence);
}

/** A value of the same kind that is wrong. */
function flip(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}.`;
  if (Array.isArray(value)) return [...value, "more"];
  return value === null ? "something" : { ...(value as object), more: true };
}

describe("recordings of real agents", () => {
  test("there is an expectation for each, and none for another", () => {
    expect(RECORDINGS.map(({ name }) => name).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  test.for(RECORDINGS)("$name comes to what was expected", (recording) => {
    const expected = EXPECTED[recording.name] as Expected;
    expect(comparable(read(recording), expected)).toEqual(expected);
  });

  test.for(RECORDINGS)("$name: any expected field flipped is seen", (recording) => {
    const expected = EXPECTED[recording.name] as Expected;
    const result = read(recording);
    for (const [field, value] of Object.entries(expected)) {
      const flipped = { ...expected, [field]: flip(value) };
      expect(comparable(result, flipped)).not.toEqual(flipped);
    }
  });

  test.for(RECORDINGS)("$name keeps every object as it came", (recording) => {
    const objects = jsonLines<unknown>(Buffer.from(recording.bytes).toString());
    expect(read(recording).raw_messages).toEqual(objects);
  });
});
