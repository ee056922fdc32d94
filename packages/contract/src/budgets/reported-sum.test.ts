import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ReportedSum } from "./reported-sum.ts";
import { isEstimated, nextSum } from "./reported-sum.ts";

const NOTHING: ReportedSum = { current: 0 };

test("the agent's own figure replaces an estimate, up or down", () => {
  const guessed = nextSum(NOTHING, 0.012, true);
  expect([guessed.current, isEstimated(guessed)]).toEqual([0.012, true]);
  for (const told of [0.0044, 0.02]) expect(nextSum(guessed, told, false)).toEqual({ current: told });
});

test("what was no estimate never falls, whatever is reported later", () => {
  const report = fc.tuple(fc.double({ min: -1, max: 10, noNaN: true }), fc.boolean());
  fc.assert(
    fc.property(fc.array(report, { maxLength: 30 }), (reports) => {
      let [sum, sure] = [NOTHING, 0];
      for (const [amount, isEstimate] of reports) {
        sum = nextSum(sum, amount, isEstimate);
        if (!isEstimate) sure = Math.max(sure, amount);
        expect(isEstimate ? Math.min(sum.current, sure) : sum.current).toBe(sure);
      }
    }),
  );
});

test("an estimate below what is known is none, and neither is an endless sum", () => {
  const told = nextSum(NOTHING, 1, false);
  expect(nextSum(told, 0.5, true)).toBe(told);
  expect(nextSum(told, Infinity, false)).toEqual({ current: Number.MAX_SAFE_INTEGER });
});
