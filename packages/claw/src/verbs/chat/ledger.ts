import type { Agent, ModelUsage } from "../../agent/index.ts";

type Spending = Agent["spending"];

interface Total {
  readonly usage: ModelUsage;
  /** Null when something was used that has no price. */
  readonly costUsd: number | null;
}

const add = (left: ModelUsage, right: ModelUsage): ModelUsage => ({
  input_tokens: left.input_tokens + right.input_tokens,
  output_tokens: left.output_tokens + right.output_tokens,
  cache_creation_input_tokens: left.cache_creation_input_tokens + right.cache_creation_input_tokens,
  cache_read_input_tokens: left.cache_read_input_tokens + right.cache_read_input_tokens,
});

const isUsed = (usage: ModelUsage): boolean => Object.values(usage).some((tokens) => tokens > 0);

/** An agent without a price costs nothing as long as it was not asked. */
const sum = (before: Total | null, spending: Spending): Total => {
  const usage = spending.usage();
  const cost = spending.costUsd();
  if (before === null || !isUsed(before.usage)) return { usage, costUsd: cost };
  if (!isUsed(usage)) return before;
  const costUsd = before.costUsd === null || cost === null ? null : before.costUsd + cost;
  return { usage: add(before.usage, usage), costUsd };
};

/** What all the agents of one session have used, one after the other. */
export function createLedger(): { total(current: Spending): Total; close(spending: Spending): void } {
  let closed: Total | null = null;
  return {
    total: (current) => sum(closed, current),
    close: (spending) => {
      closed = sum(closed, spending);
    },
  };
}
