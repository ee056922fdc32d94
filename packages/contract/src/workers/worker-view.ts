import { isEstimated } from "../budgets/reported-sum.ts";
import type { Phase } from "../events/phases.ts";
import type { WorktreeChanges } from "../events/worktree.ts";
import type { StateSource, WorkerState } from "../worker-words.ts";
import { hasEnded } from "./worker-life.ts";
import type { Completion, Used, WorkerRecord } from "./worker-record.ts";

/** A worker as the wire shows it. Times are ISO times. */
export interface WorkerView {
  readonly peer_id: string;
  readonly name: string;
  readonly harness: string | null;
  readonly mode: string | null;
  readonly model: string | null;
  /** In the words of the agent; null before the agent's report, and for agents without such a report. */
  readonly permission_mode: string | null;
  /** Permission mode given at the start. */
  readonly permission_mode_asked: string | null;
  readonly mission: string | null;
  readonly state: WorkerState;
  /** Whether the worker remains ended until a person starts it again. A worker with a planned restart has not ended. */
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
  /** Whether the cost is estimated from tokens, at least in part. */
  readonly cost_estimated: boolean;
  /** Model calls that were cut off; their usage is unknown. */
  readonly unknown_calls: number;
  readonly current_action: string | null;
  readonly completion: Completion | null;
  readonly doubts: readonly string[];
  /** Null without a worktree, and after the removal of a worktree that held no work. */
  readonly worktree: Readonly<Record<string, unknown>> | null;
  /** Changes in the worktree, known after the worker's end. */
  readonly changes: WorktreeChanges | null;
  readonly since: string;
  readonly last_seen: string | null;
  readonly last_progress: string | null;
  readonly checks: number;
  /** Ids of the worker's open approvals. */
  readonly approvals: readonly string[];
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
const sumOf = ({ before, current }: Used): number => before + current;
/** A sum of dollars, rounded to six decimals against floating point noise. */
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
    ended: hasEnded(worker.life),
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
