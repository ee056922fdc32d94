import { expect, test } from "vitest";
import { readRetryAfter } from "./model-failure.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ["seconds", { "retry-after": "7" }, 7000],
  ["a part of a second", { "retry-after": "0.5" }, 500],
  ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  ["a date that is past", { "retry-after": "Thu, 01 Jan 2015 00:00:30 GMT" }, 0],
  ["milliseconds, before all else", { "retry-after-ms": "1500", "retry-after": "7" }, 1500],
  ["less than nothing", { "retry-after-ms": "-5" }, 0],
  ["nonsense", { "retry-after": "soon" }, undefined],
  ["nothing", {}, undefined],
] as const)("a pause is read from %s", (_name, headers, expected) => {
  expect(readRetryAfter(new Headers(headers), NOW)).toBe(expected);
});

test("no headers ask for no pause", () => {
  expect(readRetryAfter(undefined, NOW)).toBeUndefined();
});
