import { describe, expect, test } from "vitest";
import { age, ago, localHour, localTime, timeLeft } from "./times.ts";

describe("a moment", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  test.each([
    [0, "just now"],
    [59, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86_399, "23 h ago"],
    [86_400, "1 d ago"],
    [864_000, "10 d ago"],
    [-5, "just now"],
  ])("%i seconds back is %s", (seconds, words) => {
    expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(words);
  });
});

test("an age is short", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const ages = [-5, 7, 59, 60, 3599, 3600, 86_400].map((s) => age(new Date(now - s * 1000).toISOString(), now));
  expect(ages).toEqual(["0s", "7s", "59s", "1m", "59m", "1h", "1d"]);
});

test("the time left is rounded up to seconds, and never negative", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const left = [-1, 0.2, 119, 120, 7199, 7200].map((s) => timeLeft(new Date(now + s * 1000).toISOString(), now));
  expect(left).toEqual(["0 s", "1 s", "119 s", "2 min", "119 min", "2 h"]);
});

test("a time of this place has two digits in each part", () => {
  const iso = new Date(2026, 0, 2, 3, 4, 5).toISOString();
  expect([localHour(iso), localTime(iso)]).toEqual(["03:04", "01-02 03:04:05"]);
});
