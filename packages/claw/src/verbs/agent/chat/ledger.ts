import type { Agent, ModelUsage } from "../../../agent/index.ts";
import { addModelUsage } from "../../../agent/index.ts";

type Spending = Agent["spending"];

interface Total {
  readonly usage: ModelUsage;
  /** Null when a model was used whose price is not known. */
  readonly costUsd: number | null;
}

const isUsed = (usage: ModelUsage): boolean => Object.values(usage).some((tokens) => tokens > 0);

/** Adds an agent's spending to a total. An agent without a known price costs nothing as long as no tokens are used. */
const sum = (before: Total | null, spending: Spending): Total => {
  const usage = spending.usage();
  const cost = spending.costUsd();
  if (before === null || !isUsed(before.usage)) return { usage, costUsd: cost };
  if (!isUsed(usage)) return before;
  const costUsd = before.costUsd === null || cost === null ? null : before.costUsd + cost;
  return { usage: addModelUsage(before.usage, usage), costUsd };
};

/** Adds up the tokens and the cost of all agents of a session. The agents work one after the other. */
export function createChatLedger(): { total(current: Spending): Total; close(spending: Spending): void } {
  let closed: Total | null = null;
  return {
    total: (current) => sum(closed, current),
    close: (spending) => {
      closed = sum(closed, spending);
    },
  };
}
