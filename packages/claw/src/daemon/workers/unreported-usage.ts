import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { SettleProcess } from "./process-watch.ts";
import { readJobOf } from "./worker-process.ts";
import type { StartBudgets } from "./worker-parts.ts";

/** Usage that a worker's life spent and did not report. */
export interface UnreportedUsage {
  readonly tokens: number;
  readonly costUsd: number;
  readonly unknownCalls: number;
}

/** An ended life, as input for code that reads the files of its agent. */
export interface EndedLife {
  readonly folder: string;
  readonly bootId: string;
  /** Tokens the worker reported during this life. */
  readonly reportedTokens: number;
  /** The environment that says where the agent keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Adds up the usage that a life spent and did not report, from the files of its agent. Null when there is none. */
export type SettleLife = (life: EndedLife) => Promise<UnreportedUsage | null>;

/**
 * Makes the function that finds the unreported usage of a life. A life that reported its end has reported all usage.
 */
export function createSettle({ settle, env, report }: SuperviseOptions, budgets: StartBudgets): SettleProcess {
  return async ({ peerId, folder, bootId, hasReported }) => {
    const job = hasReported || settle === undefined ? undefined : readJobOf(folder);
    if (job === undefined || job.bootId !== bootId || settle === undefined) return undefined;
    try {
      const life = { folder, bootId, reportedTokens: budgets.reportedTokens(peerId), env: { ...env, ...job.env } };
      const found = await settle(life);
      if (found === null) return undefined;
      return { tokens: found.tokens, cost_usd: found.costUsd, unknown_calls: found.unknownCalls };
    } catch (error) {
      report(`what worker ${peerId} spent last is not known: ${String(error)}`);
      return undefined;
    }
  };
}
