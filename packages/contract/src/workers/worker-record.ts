import type { Phase } from "../events/phases.ts";
import type { WorktreeChanges } from "../events/worktree.ts";
import type { ReportedSum } from "../budgets/reported-sum.ts";
import type { StateSource, WorkerState } from "../worker-words.ts";

/** Something that was said of a worker: by whom, when, and in which event. */
export interface Cause {
  readonly text: string;
  readonly source: StateSource;
  /** Milliseconds. */
  readonly at: number;
  readonly sequence: number | null;
}

/** What somebody has to answer. */
export interface Question extends Cause {
  readonly requestId: string;
  readonly approvalId: string | null;
}

export interface Parking extends Cause {
  /** Milliseconds; null when nobody said. */
  readonly until: number | null;
}

export interface Ending extends Cause {
  readonly state: "finished" | "aborted" | "failed" | "gone";
  /** False when it is only away: its return takes it back. */
  readonly isFinal: boolean;
}

/** What is said of a worker, by whom, since when, and from which event it follows. */
export interface Verdict {
  readonly state: WorkerState;
  readonly phase: Phase | null;
  readonly reason: string;
  readonly source: StateSource;
  /** Milliseconds. */
  readonly asOf: number;
  readonly until: number | null;
  readonly evidence: number | null;
}

/** What others were told last. */
export interface Told {
  readonly state: WorkerState;
  readonly reason: string;
  readonly until: number | null;
  readonly at: number;
}

/** Of earlier boots, and of this one. */
export interface Used extends ReportedSum {
  readonly before: number;
  /** Whether what counts of earlier boots is an estimate in part. */
  readonly guessed?: boolean;
}

export const COMPLETIONS = ["reported", "verified", "failed_checks", "accepted", "rework"] as const;
export type Completion = (typeof COMPLETIONS)[number];

/** Who it is. */
export interface Profile {
  readonly name: string;
  readonly harness: string | null;
  readonly mode: string | null;
  readonly model: string | null;
  /** What it was started with; null for none. */
  readonly permissionAsked?: string | null;
  /** What its agent reports, in the agent's own words. */
  readonly permissionMode?: string | null;
  readonly mission: string | null;
  readonly parentId: string | null;
  readonly fleet: string | null;
  readonly cwd: string | null;
  readonly terminalId: string | null;
  readonly attempt: number;
  readonly pid: number | null;
  readonly worktree: Readonly<Record<string, unknown>> | null;
  /** How many checks show whether its work is done. */
  readonly checks: number;
  /** Milliseconds. */
  readonly since: number;
}

/** Everything that is known of a worker. Plain data: it can be written down and taken up again. */
export interface WorkerRecord {
  readonly peerId: string;
  readonly profile: Profile;
  /** Whether we started it; others come by themselves. */
  readonly isSpawned: boolean;
  readonly isBooted: boolean;
  /** Whether it tells of its turns and tools. */
  readonly isSignalling: boolean;
  readonly process: "unknown" | "alive" | "ended";
  readonly phase: Phase | null;
  /** When its connection ended; null while it is connected. */
  readonly leftAt: number | null;
  /** Any sign of life. */
  readonly lastSeen: number | null;
  /** Any sign that its work came further. */
  readonly lastProgress: number | null;
  /** Since when nothing outside has held it up. */
  readonly freeSince: number;
  readonly isSilent: boolean;
  readonly isHung: boolean;
  readonly turn: "none" | "running" | "ended";
  readonly openTools: number;
  /** The newest event that shows the worker at work. */
  readonly work: Cause | null;
  readonly questions: readonly Question[];
  /** Its agent's prompt waits for somebody. */
  readonly prompt: Cause | null;
  /** Why nothing shows whether its agent works or waits; null while something does. */
  readonly unclear: Cause | null;
  readonly blocked: Cause | null;
  readonly parked: Parking | null;
  readonly paused: Cause | null;
  readonly ending: Ending | null;
  readonly tokens: Used;
  readonly costUsd: Used;
  /** Calls of a model that were cut off. Records of older versions have none. */
  readonly unknownCalls?: Used;
  readonly currentAction: string | null;
  readonly completion: Completion | null;
  readonly doubts: readonly string[];
  /** What it changed in its worktree, once it has ended. Records of older versions have none. */
  readonly changes?: WorktreeChanges | null;
  readonly verdict: Verdict;
  readonly told: Told | null;
}

const NOTHING: Used = { before: 0, current: 0 };

const profileOf = (name: string, since: number): Profile => ({
  name,
  harness: null,
  mode: null,
  model: null,
  mission: null,
  parentId: null,
  fleet: null,
  cwd: null,
  terminalId: null,
  attempt: 1,
  pid: null,
  worktree: null,
  checks: 0,
  since,
});

/** What of a worker belongs to one life of it, at the beginning of that. */
export const newLife = (at: number) =>
  ({
    isBooted: false,
    isSignalling: false,
    process: "unknown",
    phase: null,
    leftAt: null,
    lastSeen: at,
    lastProgress: at,
    freeSince: at,
    isSilent: false,
    isHung: false,
    turn: "none",
    openTools: 0,
    work: null,
    questions: [],
    prompt: null,
    unclear: null,
    blocked: null,
    parked: null,
    paused: null,
    ending: null,
    currentAction: null,
    doubts: [],
    changes: null,
  }) as const satisfies Partial<WorkerRecord>;

/** A worker of which nothing is known but that it is there. */
export const newWorker = (peerId: string, at: number): WorkerRecord => ({
  peerId,
  profile: profileOf(peerId, at),
  isSpawned: false,
  ...newLife(at),
  tokens: NOTHING,
  costUsd: NOTHING,
  completion: null,
  verdict: { state: "starting", phase: null, reason: "", source: "server", asOf: at, until: null, evidence: null },
  told: null,
});
