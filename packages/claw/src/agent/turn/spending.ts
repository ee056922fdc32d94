import type { ModelUsage } from "../providers/provider.ts";

export const NO_USAGE: ModelUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** The sum of both. A field missing in `b` counts as 0. */
export const addModelUsage = (a: ModelUsage, b: Partial<Record<keyof ModelUsage, number | undefined>>): ModelUsage => ({
  input_tokens: a.input_tokens + (b.input_tokens ?? 0),
  output_tokens: a.output_tokens + (b.output_tokens ?? 0),
  cache_creation_input_tokens: a.cache_creation_input_tokens + (b.cache_creation_input_tokens ?? 0),
  cache_read_input_tokens: a.cache_read_input_tokens + (b.cache_read_input_tokens ?? 0),
});

/** Cost of one request in US dollars. */
export type CostOf = (usage: ModelUsage) => number;

/** Usage and cost of a run, and the rest of the budget. A sub-agent shares the object with the agent that called it. */
export interface TurnSpending {
  usage(): ModelUsage;
  /** Dollars so far; null when a model without a price was asked. */
  costUsd(): number | null;
  /**
   * How many tokens the budget allows for the next answer, when the request has about `requestTokens` tokens. 0 when
   * the request alone could exceed the budget; Infinity without a budget. A run with a budget always has prices.
   */
  affordableOutput(requestTokens: number, costOf: CostOf | null): number;
  /** Adds one request, at the price of the model that was asked. */
  add(usage: ModelUsage, costOf: CostOf | null): void;
}

/** Length of a long answer, used to compute the price of one token. */
const MANY_TOKENS = 1_000_000;

export function createTurnSpending(budgetUsd: number | null): TurnSpending {
  let used = NO_USAGE;
  let cost: number | null = 0;
  return {
    usage: () => used,
    costUsd: () => cost,
    affordableOutput: (requestTokens, costOf) => {
      if (budgetUsd === null || costOf === null) return Infinity;
      // Writing to the cache may cost more than plain input. The estimate takes the dearer case.
      const plain = costOf({ ...NO_USAGE, input_tokens: requestTokens });
      const request = Math.max(plain, costOf({ ...NO_USAGE, cache_creation_input_tokens: requestTokens }));
      const left = budgetUsd - (cost ?? 0) - request;
      if (left <= 0) return 0;
      const withAnswer = costOf({ ...NO_USAGE, input_tokens: requestTokens, output_tokens: MANY_TOKENS });
      const perToken = (withAnswer - plain) / MANY_TOKENS;
      return perToken === 0 ? Infinity : Math.floor(left / perToken + 1e-6);
    },
    add: (usage, costOf) => {
      used = addModelUsage(used, usage);
      cost = costOf === null || cost === null ? null : cost + costOf(usage);
    },
  };
}
