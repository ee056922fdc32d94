import * as fc from "fast-check";
import { expect, test } from "vitest";
import { storedAtMs } from "./stored-at.ts";

test("a time of the server is read as the milliseconds it was made from", () => {
  const times = fc.integer({ min: 0, max: Date.parse("9999-12-31T23:59:59.999Z") });
  fc.assert(
    fc.property(times, (ms) => {
      expect(storedAtMs(new Date(ms).toISOString())).toBe(ms);
    }),
  );
});

test.each(["", "yesterday", "x".repeat(24), "2026-01-01T00:00:99.xxxZ"])("what is no time is 0: '%s'", (text) => {
  expect(storedAtMs(text)).toBe(0);
});

test("a time of another form is read all the same", () => {
  expect(storedAtMs("2026-01-01T01:00:00+01:00")).toBe(Date.parse("2026-01-01T00:00:00Z"));
});
