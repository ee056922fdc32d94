import type { TroubleAction } from "../workers/worker-words.ts";

/** The action for each kind of trouble. */
export interface TroubleChoice {
  readonly stale: TroubleAction;
  readonly hung: TroubleAction;
  readonly crash: TroubleAction;
  /** Restarts within the window before the breaker opens. */
  readonly restarts: number;
}

/** `failed` means: the worker itself reported that it cannot go on. A restart would contradict the worker. */
export const TROUBLES = ["stale", "hung", "crash", "failed"] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface OpenTrouble {
  readonly trouble: Trouble;
  /** Sequence of the event that reported the trouble; the sequence identifies the trouble. */
  readonly sequence: number;
  /** Null until an action is taken. */
  readonly action: TroubleAction | null;
  /** Time of the next step, in milliseconds; null when there is no next step. */
  readonly dueMs: number | null;
}

/** The trouble of one worker, and the facts for deciding about the trouble. */
export interface TroubleRecord {
  readonly choice: TroubleChoice;
  /** Whether the daemon started the worker, and so can restart the worker. */
  readonly ours: boolean;
  /** The current process, when known; the end of an earlier process is no trouble. */
  readonly pid: number | null;
  /** The worker reported a result, was accepted, or was told to end: later facts are no trouble. */
  readonly ended: boolean;
  readonly paused: boolean;
  /** The daemon ended the process on purpose before a restart; the end is no trouble. */
  readonly letGo: boolean;
  readonly open: OpenTrouble | null;
  /** Times when restarts were decided, in milliseconds, the oldest first. */
  readonly restarts: readonly number[];
  /** Whether the breaker is open: only a person can start the worker. */
  readonly broken: boolean;
}

/** For a worker that connected by itself: no actions were chosen. */
const ALERT_ONLY: TroubleChoice = { stale: "alert", hung: "alert", crash: "alert", restarts: 0 };

export const NO_TROUBLE: TroubleRecord = {
  choice: ALERT_ONLY,
  ours: false,
  pid: null,
  ended: false,
  paused: false,
  letGo: false,
  open: null,
  restarts: [],
  broken: false,
};
