import { expect, test } from "vitest";
import * as fc from "fast-check";
import type { ReportedSum } from "./amounts.ts";
import { addAmounts, amountText, higherAmounts, NOTHING_SPENT, roundAmount, isEstimated, nextSum } from "./amounts.ts";

test("sums stay numbers that can be stored, whatever is reported", () => {
  const huge = { usd: Number.MAX_VALUE, tokens: Number.MAX_VALUE };
  for (const sum of [addAmounts(huge, huge), higherAmounts(huge, NOTHING_SPENT)]) {
    const rounded = { usd: roundAmount(sum.usd), tokens: roundAmount(sum.tokens) };
    expect(JSON.parse(JSON.stringify(rounded))).toEqual(rounded);
    expect(rounded.usd).toBeGreaterThan(1e12);
  }
});

test("a small amount is shown by more than its cents", () => {
  expect([1.25, 0.0044, 0, 12].map((usd) => amountText(usd, "usd"))).toEqual(["$1.25", "$0.0044", "$0.00", "$12.00"]);
  expect(amountText(40_000, "tokens")).toBe("40000 tokens");
});

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
