import type { RunFacts } from "../stream/run-facts.ts";
import type { AgentUsage } from "../stream/run-update.ts";

/** Whether the agent has told no total of the turn that it began last. */
export const isUsagePartial = ({ usage, turnEnd, isTurnOpen }: RunFacts): boolean =>
  turnEnd === null || isTurnOpen || usage.inputTokens === undefined;

/** The larger of two counts; undefined when neither is known. */
const larger = (reported: number | undefined, seen: number): number | undefined =>
  reported === undefined && seen === 0 ? undefined : Math.max(reported ?? 0, seen);

/** What a stream has shown of usage so far: totals that were told, or the sum over messages where that is more. */
export function usageSeen({ usage, liveUsage }: Pick<RunFacts, "usage" | "liveUsage">): AgentUsage {
  const inputTokens = larger(usage.inputTokens, liveUsage.inputTokens);
  const outputTokens = larger(usage.outputTokens, liveUsage.outputTokens);
  return {
    ...usage,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
