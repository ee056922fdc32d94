import type { TroubleAction } from "../worker-words.ts";

/** What is done about a worker in trouble, by what the trouble is. */
export interface TroubleChoice {
  readonly stale: TroubleAction;
  readonly hung: TroubleAction;
  readonly crash: TroubleAction;
  /** Starts within the window before the breaker opens. */
  readonly restarts: number;
}

/** `failed` is a worker's own word that it cannot go on; starting it again would be to doubt that. */
export const TROUBLES = ["stale", "hung", "crash", "failed"] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface OpenTrouble {
  readonly trouble: Trouble;
  /** Sequence of the event that told of it; it names this trouble. */
  readonly sequence: number;
  /** Null until something is done about it. */
  readonly action: TroubleAction | null;
  /** When the next step is due, in milliseconds; null when there is none. */
  readonly dueMs: number | null;
}

/** What is known of one worker, as far as trouble goes. */
export interface TroubleRecord {
  readonly choice: TroubleChoice;
  /** Whether it can be started anew: we started it. */
  readonly ours: boolean;
  /** Its process, as far as it is known; what becomes of an earlier one is no trouble. */
  readonly pid: number | null;
  /** Reported its result, was accepted, or was told to end: nothing about it is trouble any more. */
  readonly ended: boolean;
  readonly paused: boolean;
  /** Its process was ended on purpose, by whoever starts it anew: that it ended is no trouble. */
  readonly letGo: boolean;
  readonly open: OpenTrouble | null;
  /** When starts anew were decided on, in milliseconds, the oldest first. */
  readonly restarts: readonly number[];
  /** Whether the breaker is open: a person has to start it. */
  readonly broken: boolean;
}

/** Whoever came by itself has chosen nothing. */
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
