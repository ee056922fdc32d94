import type { SilenceOf } from "./states/unheard.ts";
import type { ApprovalRule, BudgetLimit, PriceOverrides } from "claw-contract";
import type { MachineDirectory } from "../../cluster/index.ts";
import type { MomentOptions } from "../moments/moments.ts";
import type { NotifyOptions } from "../notify/notify.ts";
import type { Lifetime } from "../process/keep-running.ts";
import type { WorkerDoors } from "../workers/worker-doors.ts";
import type { ReadTranscript } from "../workers/transcript-requests.ts";
import type { SettleLife } from "../workers/process-watch.ts";

/** Settings and resources for the parts of the daemon that look after workers. */
export interface SuperviseOptions {
  /** The folder the daemon is for. */
  readonly cwd: string;
  /** The folder `.claws` in `cwd`. */
  readonly folder: string;
  /** Where workers find the bus. */
  readonly socket: string;
  /** The environment workers start from. */
  readonly env: NodeJS.ProcessEnv;
  /** Umask for files of workers: the umask of the process that started the daemon, not the daemon's own. */
  readonly umask: number;
  /** A token for a worker of that name; null when the bus asks for none. */
  readonly bearerFor: (name: string) => string | null;
  /** Sockets for single workers. */
  readonly doors: WorkerDoors;
  /** Answers to workers' questions that the user gave beforehand. */
  readonly rules: readonly ApprovalRule[];
  /** Command line that starts claw. */
  readonly program: readonly [string, ...string[]];
  /** Command line that starts a part of claw, for example `worker`. */
  readonly part: (name: string) => readonly [string, ...string[]];
  /** The daemon's end aborts the work beside the bus and waits for it. */
  readonly lifetime: Pick<Lifetime, "signal" | "hold">;
  /** Prices of the user's own, by model. */
  readonly prices?: PriceOverrides;
  /**
   * Finds the usage that an interrupted life spent and did not report. Without this function, the daemon does not look
   * for it.
   */
  readonly settle?: SettleLife | undefined;
  /** Reads what a worker's agent said and did. Without this function, no transcript is shown. */
  readonly readTranscript?: ReadTranscript | undefined;
  /** Spending limit of all workers together for one day. */
  readonly perDay: BudgetLimit;
  /** The date of a time, by which spending counts for a day. */
  readonly dayOf: (iso: string) => string;
  /** Tells the daemon's clock of activity outside of frames, which may bring the next due time closer. */
  readonly touch: () => void;
  /** Settings and files of the notices for a person who is away. Without it, no notices are delivered. */
  readonly notify?: Pick<NotifyOptions, "log" | "fs" | "folder" | "settings"> | undefined;
  /** In a cluster: for how long a machine was not heard. */
  readonly silenceOf?: SilenceOf | undefined;
  readonly report: (problem: string) => void;
  /** The machines of the cluster; absent without one. */
  readonly directory?: MachineDirectory | undefined;
  /** Version of the daemon. */
  readonly version: string;
  /**
   * Claims a name for a worker in the cluster. Resolves with the function that gives the claim up; with undefined when
   * another machine has it. Absent without a cluster.
   */
  readonly claimName?: ((name: string) => Promise<(() => Promise<void>) | undefined>) | undefined;
  /** The log, and states kept from it, from which earlier moments are shown. */
  readonly moments: Pick<MomentOptions, "log" | "store" | "mostEvents" | "spacing" | "keepMs">;
}
