import { expect, test } from "vitest";
import type { EventRow } from "./event-row.ts";
import { createEventRing } from "./event-ring.ts";

const row = (sequence: number): EventRow => ({
  sequence,
  cursor: `0001:${sequence}`,
  at: sequence,
  topic: "a.b",
  from: "p",
  worker: null,
  kind: "b",
  tone: "plain",
  text: "",
  word: null,
  previous: null,
  costUsd: null,
  isEstimate: false,
  threads: [],
});
const rows = (from: number, to: number): EventRow[] => Array.from({ length: to - from + 1 }, (_, at) => row(from + at));

test("events are kept once, in their order", () => {
  const ring = createEventRing();
  ring.append(rows(5, 8));
  ring.append(rows(7, 10));
  expect(ring.rows.map(({ sequence }) => sequence)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(ring.prepend(rows(1, 6))).toBe(4);
  expect(ring.rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("the oldest events are dropped beyond the limit, and older ones find no room", () => {
  const ring = createEventRing(100);
  ring.append(rows(1, 100));
  ring.append(rows(101, 1101));
  expect([ring.rows.length, ring.rows[0]?.sequence, ring.rows.at(-1)?.sequence]).toEqual([100, 1002, 1101]);
  expect(ring.prepend(rows(1, 50))).toBe(0);
  ring.clear();
  expect(ring.rows).toEqual([]);
});
