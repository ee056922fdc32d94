import type { ApprovalRule, PriceOverrides } from "@claw/contract";
import type { DaemonFlags } from "./daemon-record.ts";
import type { SettleLife } from "./workers/settle-life.ts";

/** How a daemon is to run. Paths are absolute. */
export interface DaemonOptions {
  readonly cwd: string;
  readonly version: string;
  readonly socket: string | undefined;
  readonly http: string | undefined;
  readonly durability: "strict" | "relaxed";
  readonly policy: "strict" | "compat";
  readonly rateLimit: number;
  readonly requireToken: boolean;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly insecure: boolean;
  readonly budgetUsd: number | undefined;
  readonly budgetUsdPerDay: number | undefined;
  readonly budgetTokensPerDay: number | undefined;
  readonly tee: boolean;
  /** The flags that decide how it runs, as they were given. */
  readonly flags?: DaemonFlags;
  /** The environment workers start from. */
  readonly env: NodeJS.ProcessEnv;
  /** Answers to workers' questions that the user gave beforehand. */
  readonly rules: readonly ApprovalRule[];
  /** Prices of the user's own, by model. */
  readonly prices?: PriceOverrides;
  /** Finds what a life of a worker that was cut off spent and did not report. */
  readonly settle?: SettleLife;
  /** The command that is this program. */
  readonly program: readonly [string, ...string[]];
  /** The command that is one of its parts. */
  readonly part: (name: string) => readonly [string, ...string[]];
}
