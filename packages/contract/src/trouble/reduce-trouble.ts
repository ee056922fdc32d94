import type { TroubleAction } from "../workers/worker-words.ts";
import type { OpenTrouble, Trouble, TroubleChoice, TroubleRecord } from "./trouble-record.ts";

/** A fact that brings a worker into trouble or out of trouble. */
export type TroubleFact =
  | { readonly kind: "spawned"; readonly choice: TroubleChoice; readonly pid: number | null }
  | {
      readonly kind: "trouble";
      readonly trouble: Trouble;
      readonly sequence: number;
      /** The process in trouble; null when the trouble names no process. */
      readonly pid: number | null;
    }
  /** The worker is in a state without trouble. `evidence` is the sequence of the event that shows the state. */
  | { readonly kind: "well"; readonly paused: boolean; readonly evidence: number | null }
  | { readonly kind: "ended" }
  /** The worker's process was ended on purpose. */
  | { readonly kind: "let_go"; readonly pid: number | null }
  /** The result of the worker was sent back for rework: the worker goes on. */
  | { readonly kind: "reopened" }
  | { readonly kind: "told_to_pause" }
  | { readonly kind: "told_to_resume" }
  /** The action taken about a trouble. */
  | {
      readonly kind: "acted";
      readonly sequence: number;
      readonly action: TroubleAction;
      readonly dueMs: number | null;
      readonly atMs: number;
      readonly broken: boolean;
    };

/** How long a restart is remembered, because the breaker counts restarts in this window. */
export const RESTART_WINDOW_MS = 60 * 60 * 1000;

/** Whether a new trouble replaces the open trouble. A process that ended is no longer silent or stuck. */
function replaces({ open }: TroubleRecord, trouble: Trouble): boolean {
  if (open === null) return true;
  const isOver = open.trouble === "crash" || open.trouble === "failed";
  return !isOver && trouble !== open.trouble;
}

function beginTrouble(
  record: TroubleRecord,
  { trouble, sequence, pid }: TroubleFact & { kind: "trouble" },
): TroubleRecord {
  const isEarlier = pid !== null && record.pid !== null && pid !== record.pid;
  if (record.ended || record.letGo || isEarlier || !replaces(record, trouble)) return record;
  const { open } = record;
  // A restart is already planned and answers the new trouble too.
  if (open !== null && open.action === "restart") return { ...record, open: { ...open, trouble } };
  return { ...record, open: { trouble, sequence, action: null, dueMs: null } };
}

/**
 * Any activity ends the trouble of a stale or hung worker. A worker taken for dead needs evidence newer than the
 * trouble.
 */
function getsWell(record: TroubleRecord, evidence: number | null): TroubleRecord {
  const { open } = record;
  if (open === null) return record;
  const lives = open.trouble === "stale" || open.trouble === "hung" || (evidence ?? 0) > open.sequence;
  return lives ? { ...record, open: null } : record;
}

function act(record: TroubleRecord, fact: TroubleFact & { kind: "acted" }): TroubleRecord {
  const { sequence, action, dueMs, atMs, broken } = fact;
  const recent = record.restarts.filter((ms) => ms > atMs - RESTART_WINDOW_MS);
  const restarts = action === "restart" ? [...recent, atMs] : recent;
  const open = record.open?.sequence === sequence ? { ...record.open, action, dueMs } : record.open;
  return { ...record, open, restarts, broken: record.broken || broken };
}

/** A start without a planned restart comes from a person: the count of restarts begins again. */
function noteStart(record: TroubleRecord, { choice, pid }: TroubleFact & { kind: "spawned" }): TroubleRecord {
  const planned = record.open?.action === "restart";
  const kept = planned ? { restarts: record.restarts, broken: record.broken } : { restarts: [], broken: false };
  return { ...record, choice, pid, ours: true, ended: false, paused: false, letGo: false, open: null, ...kept };
}

/** The trouble record of a worker after one fact. Pure. */
export function reduceTrouble(record: TroubleRecord, fact: TroubleFact): TroubleRecord {
  switch (fact.kind) {
    case "spawned":
      return noteStart(record, fact);
    case "trouble":
      return beginTrouble(record, fact);
    case "well":
      return { ...getsWell(record, fact.evidence), paused: fact.paused };
    case "ended":
      return { ...record, ended: true, open: null };
    case "let_go":
      return fact.pid === null || record.pid === null || fact.pid === record.pid ? { ...record, letGo: true } : record;
    case "reopened":
      return { ...record, ended: false };
    case "told_to_pause":
      return { ...getsWell(record, null), paused: true };
    case "told_to_resume":
      return { ...record, paused: false };
    case "acted":
      return act(record, fact);
  }
}

/** How long a nudged worker may remain in trouble before a person is called. */
export const NUDGE_WAIT_MS = 60_000;

/** The pause before the first restart. Each further pause is twice as long, up to `RESTART_MOST_MS`. */
export const RESTART_FIRST_MS = 1000;
export const RESTART_MOST_MS = 5 * 60 * 1000;

/** Up to this share of the pause is added, so many workers do not restart at the same moment. */
const JITTER_SHARE = 0.25;

/** The next step about a worker in trouble. */
export type TroubleStep =
  /** The next three kinds become `system.worker.alert` events; a nudge also becomes a command to the worker. */
  | { readonly kind: "nudge"; readonly dueMs: number }
  | { readonly kind: "plan_restart"; readonly dueMs: number }
  | { readonly kind: "alert"; readonly trouble: string; readonly broken: boolean }
  /** A planned restart is due. */
  | { readonly kind: "restart" };

export interface DecideOptions {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly jitter: number;
  /** Whether the worker may spend money; a restart without money is useless. */
  readonly maySpend: boolean;
}

/** The pause before the next restart, after `restarts` restarts within the window. */
export function restartPauseMs(restarts: number, jitter: number): number {
  const pause = Math.min(RESTART_FIRST_MS * 2 ** Math.min(restarts, 20), RESTART_MOST_MS);
  return Math.round(pause * (1 + JITTER_SHARE * jitter));
}

const alert = (trouble: string, broken = false): TroubleStep => ({ kind: "alert", trouble, broken });

function decideRestart(record: TroubleRecord, open: OpenTrouble, options: DecideOptions): TroubleStep {
  const { choice, ours, paused, broken } = record;
  const recent = record.restarts.filter((ms) => ms > options.nowMs - RESTART_WINDOW_MS).length;
  if (!ours || paused || choice.restarts === 0) return alert(open.trouble);
  if (!options.maySpend) return alert("budget");
  if (broken || recent >= choice.restarts) return alert("crash_loop", true);
  return { kind: "plan_restart", dueMs: options.nowMs + restartPauseMs(recent, options.jitter) };
}

/** The first step for a new trouble. A paused worker is neither nudged nor restarted. */
function decideFirst(record: TroubleRecord, open: OpenTrouble, options: DecideOptions): TroubleStep {
  if (open.trouble === "failed") return alert("failed");
  const action = record.choice[open.trouble];
  if (action === "restart") return decideRestart(record, open, options);
  if (action === "nudge" && open.trouble !== "crash" && !record.paused && options.maySpend) {
    return { kind: "nudge", dueMs: options.nowMs + NUDGE_WAIT_MS };
  }
  return alert(open.trouble);
}

/** The next step about a worker; undefined when no step is due. Pure. */
export function decideTrouble(record: TroubleRecord, options: DecideOptions): TroubleStep | undefined {
  const { open, ended } = record;
  if (open === null || ended) return undefined;
  if (open.action === null) return decideFirst(record, open, options);
  if (open.dueMs === null || options.nowMs < open.dueMs) return undefined;
  if (open.action === "nudge") return alert("stuck");
  if (open.action !== "restart") return undefined;
  if (record.paused) return alert(open.trouble);
  return options.maySpend ? { kind: "restart" } : alert("budget");
}

/** The next step after a due restart failed. */
export function decideAfterFailure(record: TroubleRecord, options: DecideOptions): TroubleStep | undefined {
  const { open } = record;
  return open === null
    ? undefined
    : decideTrouble({ ...record, open: { ...open, action: null, dueMs: null } }, options);
}
