import type { SuperviseOptions } from "../supervise-options.ts";
import type { Settle } from "./process-watch.ts";
import { readJob } from "./worker-process.ts";
import type { Purse } from "./worker-parts.ts";

/** What a life of a worker spent and did not report. */
export interface Unreported {
  readonly tokens: number;
  readonly costUsd: number;
  readonly unknownCalls: number;
}

/** A life that has ended, for whoever can read the files of its agent. */
export interface EndedLife {
  readonly folder: string;
  readonly bootId: string;
  /** Tokens that it had reported. */
  readonly reportedTokens: number;
  /** The environment that says where the agent keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Adds up what a life spent beyond what it reported, from the files of its agent. Null when there is nothing. */
export type SettleLife = (life: EndedLife) => Promise<Unreported | null>;

/** How the spending of a life that could not report its end is found. A life that said how it ended has told everything. */
export function createSettle({ settle, env, report }: SuperviseOptions, purse: Purse): Settle {
  return async ({ peerId, folder, bootId, reported }) => {
    const job = reported || settle === undefined ? undefined : readJob(folder);
    if (job === undefined || job.bootId !== bootId || settle === undefined) return undefined;
    try {
      const life = { folder, bootId, reportedTokens: purse.reportedTokens(peerId), env: { ...env, ...job.env } };
      const found = await settle(life);
      if (found === null) return undefined;
      return { tokens: found.tokens, cost_usd: found.costUsd, unknown_calls: found.unknownCalls };
    } catch (error) {
      report(`what worker ${peerId} spent last is not known: ${String(error)}`);
      return undefined;
    }
  };
}
