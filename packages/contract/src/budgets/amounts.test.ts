import { expect, test } from "vitest";
import { addAmounts, amountText, higherAmounts, NOTHING_SPENT, roundAmount } from "./amounts.ts";

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
