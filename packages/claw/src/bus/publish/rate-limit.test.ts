import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

describe("a rate limit", () => {
  test("allows its rate in a burst, then as much as time brings", () => {
    const limit = createRateLimit(4);
    const takeAll = (now: number): number => {
      let taken = 0;
      while (limit.take(now).ok) taken += 1;
      return taken;
    };
    expect([takeAll(1000), takeAll(1000), takeAll(1250), takeAll(1700), takeAll(60_000)]).toEqual([4, 0, 1, 1, 4]);
  });

  test("says truly when to come again: then one can be taken, and a millisecond earlier none", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 0, max: 1e13 }),
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 30 }),
        (perSecond, start, steps) => {
          const limit = createRateLimit(perSecond);
          let now = start;
          const drain = (): number => {
            for (;;) {
              const taken = limit.take(now);
              if (!taken.ok) return taken.retryAfterMs;
            }
          };
          for (const step of [0, ...steps]) {
            now += step;
            const waitMs = drain();
            expect(waitMs).toBeGreaterThan(0);
            expect(limit.take(now + waitMs - 1).ok).toBe(false);
            now += waitMs;
            expect(limit.take(now).ok).toBe(true);
          }
        },
      ),
    );
  });

  test("neither stops nor opens when the clock is set back", () => {
    const limit = createRateLimit(2);
    expect([limit.take(10_000).ok, limit.take(10_000).ok, limit.take(5000).ok]).toEqual([true, true, false]);
    expect(limit.take(5000)).toEqual({ ok: false, retryAfterMs: 500 });
    expect(limit.take(5500).ok).toBe(true);
  });

  test("of 0 is none", () => {
    const limit = createRateLimit(0);
    for (let n = 0; n < 1000; n += 1) expect(limit.take(0)).toEqual({ ok: true });
  });
});
