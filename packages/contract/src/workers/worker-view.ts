import type * as z from "zod";
import { isEstimated } from "../budgets/amounts.ts";
import type { WorkerFields } from "./worker-fields.ts";
import { hasLifeEnded } from "./worker-life.ts";
import type { WorkerState } from "./worker-words.ts";
import type { Used, WorkerRecord } from "./worker-record.ts";
import { isoTime } from "../iso-time.ts";
import { LIMITS } from "../limits/limits.ts";

/** A worker as the wire shows it. Times are ISO times. */
export type WorkerView = Readonly<z.infer<typeof WorkerFields>>;

const sumOf = ({ before, current }: Used): number => before + current;
/** A sum of dollars, rounded to six decimals against floating point noise. */
const dollars = (used: Used): number => Math.round(sumOf(used) * 1e6) / 1e6;

export function workerViewOf(worker: WorkerRecord): WorkerView {
  const { profile, verdict, lastSeen, lastProgress } = worker;
  const { state, phase, reason, source, asOf, until, evidence } = verdict;
  return {
    peer_id: worker.peerId,
    name: profile.name,
    harness: profile.harness,
    mode: profile.mode,
    model: profile.model,
    permission_mode: profile.permissionMode ?? null,
    permission_mode_asked: profile.permissionAsked ?? null,
    mission: profile.mission,
    state,
    phase,
    reason,
    source,
    evidence,
    ended: hasLifeEnded(worker.life),
    as_of: isoTime(asOf),
    until: until === null ? null : isoTime(until),
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
    doubts: [...worker.doubts],
    worktree: profile.worktree,
    changes: worker.changes ?? null,
    since: isoTime(profile.since),
    last_seen: lastSeen === null ? null : isoTime(lastSeen),
    last_progress: lastProgress === null ? null : isoTime(lastProgress),
    checks: profile.checks,
    approvals: worker.questions.flatMap(({ approvalId }) => approvalId ?? []),
  };
}

/** When the next `system.worker.state` event is due, in milliseconds; Infinity when the last event is still right. */
export function tellAt({ verdict, told }: WorkerRecord): number {
  if (told === null || told.state !== verdict.state) return -Infinity;
  if (told.reason === verdict.reason && told.until === verdict.until) return Infinity;
  return told.at + LIMITS.stateReasonMs;
}

/** States in which a worker may be silent: silence does not change them. */
const SPARES_SILENCE: ReadonlySet<WorkerState> = new Set(["paused", "needs_input", "rate_limited"]);

/** The payload of a `system.worker.state` event. */
export function stateChangeOf({ peerId, verdict, told, isSilent }: WorkerRecord, ts: string) {
  const { state, phase, reason, source, asOf, until, evidence } = verdict;
  return {
    peerId,
    state,
    previous: told?.state ?? null,
    phase,
    reason,
    source,
    as_of: new Date(asOf).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
    evidence,
    ...(SPARES_SILENCE.has(state) ? { silent: isSilent } : {}),
    ts,
  };
}
