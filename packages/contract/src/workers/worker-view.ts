import { isEstimated } from "../budgets/reported-sum.ts";
import type { Phase } from "../events/phases.ts";
import type { WorktreeChanges } from "../events/worktree.ts";
import type { StateSource, WorkerState } from "../worker-words.ts";
import type { Completion, Used, WorkerRecord } from "./worker-record.ts";

/** A worker as the wire tells of it. Times are ISO times. */
export interface WorkerView {
  readonly peer_id: string;
  readonly name: string;
  readonly harness: string | null;
  readonly mode: string | null;
  readonly model: string | null;
  /** As its agent reports it, in the agent's own words; null before that, and for agents that report none. */
  readonly permission_mode: string | null;
  /** As it was asked for. */
  readonly permission_mode_asked: string | null;
  readonly mission: string | null;
  readonly state: WorkerState;
  /** Whether nothing more comes of it unless a person starts it again. A worker that is about to be started anew has not ended. */
  readonly ended: boolean;
  readonly phase: Phase | null;
  readonly reason: string;
  readonly source: StateSource;
  readonly as_of: string;
  readonly until: string | null;
  readonly evidence: number | null;
  readonly parent_id: string | null;
  readonly fleet: string | null;
  readonly cwd: string | null;
  readonly terminal_id: string | null;
  readonly attempt: number;
  readonly pid: number | null;
  readonly tokens: number;
  readonly cost_usd: number;
  /** Whether that is estimated from tokens, in part at least. */
  readonly cost_estimated: boolean;
  /** Calls of a model that were cut off, so that nobody knows what they used. */
  readonly unknown_calls: number;
  readonly current_action: string | null;
  readonly completion: Completion | null;
  readonly doubts: readonly string[];
  /** Null without one, and once it was removed because it held no work. */
  readonly worktree: Readonly<Record<string, unknown>> | null;
  /** What it changed in its worktree, once it has ended. */
  readonly changes: WorktreeChanges | null;
  readonly since: string;
  readonly last_seen: string | null;
  readonly last_progress: string | null;
  readonly checks: number;
  /** Approvals that somebody can answer for it. */
  readonly approvals: readonly string[];
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
const sumOf = ({ before, current }: Used): number => before + current;
/** Sums of dollars without what floating point makes of them. */
const dollars = (used: Used): number => Math.round(sumOf(used) * 1e6) / 1e6;

export function viewOf(worker: WorkerRecord): WorkerView {
  const { profile, verdict, lastSeen, lastProgress } = worker;
  const { asOf, until, ...said } = verdict;
  return {
    peer_id: worker.peerId,
    name: profile.name,
    harness: profile.harness,
    mode: profile.mode,
    model: profile.model,
    permission_mode: profile.permissionMode ?? null,
    permission_mode_asked: profile.permissionAsked ?? null,
    mission: profile.mission,
    ...said,
    ended: worker.ending?.isFinal === true,
    as_of: timeOf(asOf),
    until: until === null ? null : timeOf(until),
    parent_id: profile.parentId,
    fleet: profile.fleet,
    cwd: profile.cwd,
    terminal_id: profile.terminalId,
    attempt: profile.attempt,
    pid: profile.pid,
    tokens: sumOf(worker.tokens),
    cost_usd: dollars(worker.costUsd),
    cost_estimated: worker.costUsd.guessed === true || isEstimated(worker.costUsd),
    unknown_calls: sumOf(worker.unknownCalls ?? { before: 0, current: 0 }),
    current_action: worker.currentAction,
    completion: worker.completion,
    doubts: worker.doubts,
    worktree: profile.worktree,
    changes: worker.changes ?? null,
    since: timeOf(profile.since),
    last_seen: lastSeen === null ? null : timeOf(lastSeen),
    last_progress: lastProgress === null ? null : timeOf(lastProgress),
    checks: profile.checks,
    approvals: worker.questions.flatMap(({ approvalId }) => approvalId ?? []),
  };
}
