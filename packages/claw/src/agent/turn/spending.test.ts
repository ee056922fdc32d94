import { costOf as priced } from "claw-contract";
import { expect, test } from "vitest";
import type { ModelUsage } from "../providers/provider.ts";
import { createTurnSpending, NO_USAGE } from "./spending.ts";

const PRICES = { m: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } };
const costOf = (usage: ModelUsage): number => priced("m", usage, PRICES) ?? Number.NaN;

test("every kind of token has its own price", () => {
  const spending = createTurnSpending(null);
  spending.add(
    {
      input_tokens: 1_000_000,
      output_tokens: 100_000,
      cache_creation_input_tokens: 200_000,
      cache_read_input_tokens: 500_000,
    },
    costOf,
  );
  expect(spending.costUsd()).toBeCloseTo(2 + 1 + 0.5 + 0.1, 10);
});

test("once a model without a price was asked, nobody knows what the run costs", () => {
  const spending = createTurnSpending(null);
  spending.add({ ...NO_USAGE, input_tokens: 5 }, null);
  spending.add({ ...NO_USAGE, input_tokens: 5 }, costOf);
  expect([spending.costUsd(), spending.usage().input_tokens]).toEqual([null, 10]);
});

test("what may still be written shrinks with what was spent and with the request, down to nothing", () => {
  const spending = createTurnSpending(1);
  expect(spending.affordableOutput(0, costOf)).toBe(100_000);
  expect(spending.affordableOutput(200_000, costOf)).toBe(50_000);
  spending.add({ ...NO_USAGE, output_tokens: 60_000 }, costOf);
  expect(spending.affordableOutput(0, costOf)).toBe(40_000);
  expect(spending.affordableOutput(200_000, costOf)).toBe(0);
});

test("without a budget there is no bound", () => {
  expect(createTurnSpending(null).affordableOutput(1e9, costOf)).toBe(Infinity);
});
