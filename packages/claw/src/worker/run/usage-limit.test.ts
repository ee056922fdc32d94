import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { restAfter } from "./usage-limit.ts";

const NOW = 1_000_000;

test("a limit whose end is known is waited for, and a little longer", () => {
  expect(restAfter({ resetsAtMs: NOW + 1000, pauses: 5, nowMs: NOW, random: 0 })).toEqual({
    until: NOW + 1000,
    known: true,
  });
  expect(restAfter({ resetsAtMs: NOW + 1000, pauses: 0, nowMs: NOW, random: 0.5 }).until).toBe(NOW + 1050);
});

test("the stretch of a long pause is bounded", () => {
  const day = 24 * 60 * 60_000;
  const { until } = restAfter({ resetsAtMs: NOW + day, pauses: 0, nowMs: NOW, random: 0.99 });
  expect(until).toBeLessThanOrEqual(NOW + day + LIMITS.usageLimitJitterMs);
});

test("pauses without a known end grow to the longest; an end that is past is believed once", () => {
  const pauseOf = (pauses: number, resetsAtMs: number | null): number =>
    restAfter({ resetsAtMs, pauses, nowMs: NOW, random: 0 }).until - NOW;
  expect([0, 1, 2].map((pauses) => pauseOf(pauses, null))).toEqual([60_000, 120_000, 240_000]);
  expect(pauseOf(1000, null)).toBe(LIMITS.usageLimitMostMs);
  expect([0, 1].map((pauses) => pauseOf(pauses, NOW - 1))).toEqual([LIMITS.usageLimitOverMs, 120_000]);
});
