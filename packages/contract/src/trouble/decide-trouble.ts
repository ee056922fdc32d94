import { RESTART_WINDOW_MS } from "./reduce-trouble.ts";
import type { OpenTrouble, TroubleRecord } from "./trouble-record.ts";

/** How long a nudge may take to show before a person is called. */
export const NUDGE_WAIT_MS = 60_000;

/** The pause before the first start anew; each further one is twice as long, up to the second. */
export const RESTART_FIRST_MS = 1000;
export const RESTART_MOST_MS = 5 * 60 * 1000;

/** Up to this share of the pause is added, so that many do not start at the same moment. */
const JITTER_SHARE = 0.25;

/** What is to be done next about a worker. */
export type TroubleStep =
  /** Said to the log, together with what it names. */
  | { readonly kind: "nudge"; readonly dueMs: number }
  | { readonly kind: "plan_restart"; readonly dueMs: number }
  | { readonly kind: "alert"; readonly trouble: string; readonly broken: boolean }
  /** The time of a start that was planned has come. */
  | { readonly kind: "restart" };

export interface DecideOptions {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly jitter: number;
  /** Whether it may spend money; without it there is no use in starting it. */
  readonly maySpend: boolean;
}

/** How long the next start waits, after so many within the window. */
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

/** What a new trouble calls for. Somebody who was told to wait is not nudged, and not started. */
function decideFirst(record: TroubleRecord, open: OpenTrouble, options: DecideOptions): TroubleStep {
  if (open.trouble === "failed") return alert("failed");
  const action = record.choice[open.trouble];
  if (action === "restart") return decideRestart(record, open, options);
  if (action === "nudge" && open.trouble !== "crash" && !record.paused && options.maySpend) {
    return { kind: "nudge", dueMs: options.nowMs + NUDGE_WAIT_MS };
  }
  return alert(open.trouble);
}

/** What is to be done about a worker now; undefined when nothing, or not yet. Pure. */
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

/** The same after a start that was due could not be made. */
export function decideAfterFailure(record: TroubleRecord, options: DecideOptions): TroubleStep | undefined {
  const { open } = record;
  return open === null
    ? undefined
    : decideTrouble({ ...record, open: { ...open, action: null, dueMs: null } }, options);
}
