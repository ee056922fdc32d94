import { RESTART_WINDOW_MS } from "./reduce-trouble.ts";
import type { OpenTrouble, TroubleRecord } from "./trouble-record.ts";

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
