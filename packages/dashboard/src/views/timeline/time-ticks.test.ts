import { expect, test } from "vitest";
import { timeTicks } from "./time-ticks.ts";

const at = (text: string): number => new Date(text).getTime();
const textsOf = (from: string, to: string): string[] =>
  timeTicks({ from: at(from), to: at(to) }).map(({ text }) => text);

test.each([
  ["2026-03-04T14:03:07", "2026-03-04T14:03:47", ["14:03:10", "14:03:20", "14:03:30", "14:03:40"]],
  ["2026-03-04T14:03:07", "2026-03-04T16:01:00", ["14:30", "15:00", "15:30", "16:00"]],
  ["2026-03-04T14:03:07", "2026-03-06T16:01:00", ["00:00", "12:00", "00:00", "12:00"]],
  ["2026-03-04T14:03:07", "2026-03-08T16:01:00", ["2026-03-05", "2026-03-06", "2026-03-07", "2026-03-08"]],
])("from %s to %s the ticks stand at round times", (from, to, ticks) => {
  expect(textsOf(from, to)).toEqual(ticks);
});

test("a short range has ticks within a second, and an empty one at most one", () => {
  expect(textsOf("2026-03-04T14:03:07.000", "2026-03-04T14:03:08.000")).toEqual([
    "14:03:07.0",
    "14:03:07.2",
    "14:03:07.4",
    "14:03:07.6",
    "14:03:07.8",
    "14:03:08.0",
  ]);
  expect(timeTicks({ from: 1, to: 1 })).toEqual([]);
});
