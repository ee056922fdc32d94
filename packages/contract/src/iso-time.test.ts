import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime } from "./iso-time.ts";

const LAST_MS = 8.64e15;

test("a time is written as toISOString writes it, in whatever order times come", () => {
  const now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
  const recent = fc.integer({ min: now - 200_000, max: now + 200_000 });
  const any = fc.oneof(
    recent,
    fc.integer({ min: -LAST_MS, max: LAST_MS }),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(any), (times) => {
      expect(times.map(isoTime)).toEqual(times.map((time) => new Date(time).toISOString()));
    }),
  );
  expect(isoTime("2026-01-31T12:00:00+02:00")).toBe("2026-01-31T10:00:00.000Z");
});

test.each([Number.NaN, Infinity, LAST_MS + 1, "no time"])("%s is no time", (time) => {
  expect(() => isoTime(time)).toThrow(RangeError);
  expect(() => isoTime(time)).toThrow(RangeError);
});
