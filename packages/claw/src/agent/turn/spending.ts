import type { ModelUsage } from "../providers/provider.ts";

export const NO_USAGE: ModelUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Both together. What the second leaves out is none. */
export const addUsage = (a: ModelUsage, b: Partial<Record<keyof ModelUsage, number | undefined>>): ModelUsage => ({
  input_tokens: a.input_tokens + (b.input_tokens ?? 0),
  output_tokens: a.output_tokens + (b.output_tokens ?? 0),
  cache_creation_input_tokens: a.cache_creation_input_tokens + (b.cache_creation_input_tokens ?? 0),
  cache_read_input_tokens: a.cache_read_input_tokens + (b.cache_read_input_tokens ?? 0),
});

/** Dollars that one request costs. */
export type CostOf = (usage: ModelUsage) => number;

/** What a run has used and may still use. Sub-agents share it with whoever called them. */
export interface Spending {
  usage(): ModelUsage;
  /** Dollars so far; null when a model without a price was asked. */
  costUsd(): number | null;
  /**
   * How many tokens the next answer may have when its request is about so large; 0 when the request itself could go
   * beyond the budget. Whoever has a budget has prices.
   */
  affordableOutput(requestTokens: number, costOf: CostOf | null): number;
  /** Counts one request, at its own price. */
  add(usage: ModelUsage, costOf: CostOf | null): void;
}

/** A long answer, from which the price of a token is told. */
const MANY_TOKENS = 1_000_000;

export function createSpending(budgetUsd: number | null): Spending {
  let used = NO_USAGE;
  let cost: number | null = 0;
  return {
    usage: () => used,
    costUsd: () => cost,
    affordableOutput: (requestTokens, costOf) => {
      if (budgetUsd === null || costOf === null) return Infinity;
      // A cache that is written may cost more than plain input; the dearer case is the one to be prepared for.
      const plain = costOf({ ...NO_USAGE, input_tokens: requestTokens });
      const request = Math.max(plain, costOf({ ...NO_USAGE, cache_creation_input_tokens: requestTokens }));
      const left = budgetUsd - (cost ?? 0) - request;
      if (left <= 0) return 0;
      const withAnswer = costOf({ ...NO_USAGE, input_tokens: requestTokens, output_tokens: MANY_TOKENS });
      const perToken = (withAnswer - plain) / MANY_TOKENS;
      return perToken === 0 ? Infinity : Math.floor(left / perToken + 1e-6);
    },
    add: (usage, costOf) => {
      used = addUsage(used, usage);
      cost = costOf === null || cost === null ? null : cost + costOf(usage);
    },
  };
}
