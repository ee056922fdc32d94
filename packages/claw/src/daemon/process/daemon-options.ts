import type { ApprovalRule, PriceOverrides } from "claw-contract";
import type { DaemonFace } from "./face-mounts.ts";
import type { DaemonFlags } from "./daemon-record.ts";
import type { NatsAddress } from "../../cluster/index.ts";
import type { ReadTranscript } from "../workers/transcript-requests.ts";
import type { NotifySettings } from "../notify/channels.ts";
import type { SettleLife } from "../workers/process-watch.ts";

/** The cluster that a daemon belongs to. Paths are absolute. */
export interface ClusterOptions {
  readonly address: NatsAddress;
  readonly cluster: string;
  readonly machine: string;
  /** Servers that keep each event. */
  readonly replicas: number | undefined;
  /** The operator's word that no power cut hits a majority of the servers at once. */
  readonly separateMachines: boolean;
  /** Monitoring address of a server. */
  readonly monitoring: string | undefined;
  /** Whether cursors of the folder's other logs may be taken for cursors of the cluster's log. */
  readonly leaveLog: boolean;
}

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
  /** Set when the log is shared with other machines. */
  readonly cluster?: ClusterOptions;
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
  /** Protocols beside the bus on the HTTP listener. */
  readonly faces?: readonly DaemonFace[];
  /** Reads what a worker's agent said and did. */
  readonly readTranscript?: ReadTranscript;
  /** What the settings say of notices, as they are at the moment of the call. */
  readonly notify?: () => NotifySettings | undefined;
  /** Command line that starts claw. */
  readonly program: readonly [string, ...string[]];
  /** Command line that starts a part of claw, for example `terminal-host`. */
  readonly part: (name: string) => readonly [string, ...string[]];
  /** Folder of the page's files. */
  readonly pageFolder: string;
}
