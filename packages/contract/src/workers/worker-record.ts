import type { Phase } from "../events/phases.ts";
import type { WorktreeChanges } from "../events/families/worktree.ts";
import type { ReportedSum } from "../budgets/amounts.ts";
import type { StateSource, WorkerState } from "./worker-words.ts";
import type { WorkerLife } from "./worker-life.ts";
import { FIRST_LIFE } from "./worker-life.ts";

/** A statement about a worker, with source, time and event. */
export interface Cause {
  readonly text: string;
  readonly source: StateSource;
  /** Milliseconds. */
  readonly at: number;
  readonly sequence: number | null;
}

/** A question of a worker that waits for an answer. */
export interface OpenQuestion extends Cause {
  readonly requestId: string;
  readonly approvalId: string | null;
}

export interface Pause extends Cause {
  /** Milliseconds; null when the end is unknown. */
  readonly until: number | null;
}

export interface WorkerEnding extends Cause {
  readonly state: "finished" | "aborted" | "failed" | "gone";
}

/** The state of a worker, with source, time and evidence. */
export interface StateVerdict {
  readonly state: WorkerState;
  readonly phase: Phase | null;
  readonly reason: string;
  readonly source: StateSource;
  /** Milliseconds. */
  readonly asOf: number;
  readonly until: number | null;
  readonly evidence: number | null;
}

/** The state in the last `system.worker.state` event. */
export interface Told {
  readonly state: WorkerState;
  readonly reason: string;
  readonly until: number | null;
  readonly at: number;
}

/** Amounts of earlier boots, and of the current boot. */
export interface Used extends ReportedSum {
  readonly before: number;
  /** Whether the amount of earlier boots is partly an estimate. */
  readonly guessed?: boolean;
}

export const COMPLETIONS = ["reported", "verified", "failed_checks", "accepted", "rework"] as const;
export type Completion = (typeof COMPLETIONS)[number];

/** Identity and settings of a worker. */
export interface Profile {
  readonly name: string;
  readonly harness: string | null;
  readonly mode: string | null;
  readonly model: string | null;
  /** Permission mode given at the start; null for none. */
  readonly permissionAsked?: string | null;
  /** Permission mode that the agent reports, in the agent's words. */
  readonly permissionMode?: string | null;
  readonly mission: string | null;
  readonly parentId: string | null;
  readonly fleet: string | null;
  readonly cwd: string | null;
  readonly terminalId: string | null;
  readonly attempt: number;
  readonly pid: number | null;
  readonly worktree: Readonly<Record<string, unknown>> | null;
  /** Number of checks that show whether the work is done. */
  readonly checks: number;
  /** Milliseconds. */
  readonly since: number;
}

/** All facts about a worker. Plain data that can be stored and loaded again. */
export interface WorkerRecord {
  readonly peerId: string;
  readonly profile: Profile;
  /** Whether the daemon started the worker; other workers connect by themselves. */
  readonly isSpawned: boolean;
  readonly life: WorkerLife;
  /** Whether the worker reports turns and tools. */
  readonly isSignalling: boolean;
  readonly phase: Phase | null;
  /** When the connection ended; null while the worker is connected. */
  readonly leftAt: number | null;
  /** Time of the last sign of life. */
  readonly lastSeen: number | null;
  /** Time of the last sign of progress. */
  readonly lastProgress: number | null;
  /** Time since which no outside cause holds the worker up. */
  readonly freeSince: number;
  readonly isSilent: boolean;
  readonly isHung: boolean;
  readonly turn: "none" | "running" | "ended";
  readonly openTools: number;
  /** The newest event that shows the worker at work. */
  readonly work: Cause | null;
  readonly questions: readonly OpenQuestion[];
  /** Set while the agent's prompt waits for input. */
  readonly prompt: Cause | null;
  /** Why no evidence shows whether the agent works or waits; null while evidence exists. */
  readonly unclear: Cause | null;
  readonly blocked: Cause | null;
  readonly parked: Pause | null;
  readonly paused: Cause | null;
  /** The end of the life as it is shown; null while the worker lives, or while a report is still to come. */
  readonly ending: WorkerEnding | null;
  readonly tokens: Used;
  readonly costUsd: Used;
  /** Model calls that were cut off. Records of older versions have none. */
  readonly unknownCalls?: Used;
  readonly currentAction: string | null;
  readonly completion: Completion | null;
  readonly doubts: readonly string[];
  /** Changes in the worktree, known after the worker's end. Records of older versions have none. */
  readonly changes?: WorktreeChanges | null;
  readonly verdict: StateVerdict;
  readonly told: Told | null;
}

const UNUSED: Used = { before: 0, current: 0 };

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

/** Initial values of the fields that belong to one life of a worker. */
export const newLife = (at: number) =>
  ({
    life: FIRST_LIFE,
    isSignalling: false,
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

/** The record of a worker of which only the id and the time are known. */
export const newWorker = (peerId: string, at: number): WorkerRecord => ({
  peerId,
  profile: profileOf(peerId, at),
  isSpawned: false,
  ...newLife(at),
  tokens: UNUSED,
  costUsd: UNUSED,
  completion: null,
  verdict: { state: "starting", phase: null, reason: "", source: "server", asOf: at, until: null, evidence: null },
  told: null,
});
