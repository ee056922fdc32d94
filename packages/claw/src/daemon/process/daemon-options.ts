import type { ApprovalRule, PriceOverrides } from "claw-contract";
import type { DaemonFlags } from "./daemon-record.ts";
import type { ReadTranscript } from "../workers/transcript-requests.ts";
import type { SettleLife } from "../workers/process-watch.ts";

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
  /** The flags of `up` that decide how the daemon runs, as the user gave them. */
  readonly flags?: DaemonFlags;
  /** The environment workers start from. */
  readonly env: NodeJS.ProcessEnv;
  /** Answers to workers' questions that the user gave beforehand. */
  readonly rules: readonly ApprovalRule[];
  /** Prices of the user's own, by model. */
  readonly prices?: PriceOverrides;
  /** Finds the usage that an interrupted life of a worker spent and did not report. */
  readonly settle?: SettleLife;
  /** Reads what a worker's agent said and did. */
  readonly readTranscript?: ReadTranscript;
  /** Command line that starts claw. */
  readonly program: readonly [string, ...string[]];
  /** Command line that starts a part of claw, for example `terminal-host`. */
  readonly part: (name: string) => readonly [string, ...string[]];
  /** Folder of the page's files. */
  readonly pageFolder: string;
}
