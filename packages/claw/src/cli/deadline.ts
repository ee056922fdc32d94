import { ClawError } from "claw-contract";
import type { LateSignal } from "./late-signal.ts";
import { createLateSignal } from "./late-signal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Sent when a terminal closes, sometimes twice: once for the leader of its session, once for its foreground group. */
const HANG_UP = "SIGHUP";

/** How long a cancelled verb may take to leave things in order, unless it has more to put in order than most. */
const GRACE_MS = 1000;

/** Its abort ends the call, with the error to report as the reason. */
export interface Deadline extends LateSignal {
  /** Removes timers and signal handlers. */
  readonly close: () => void;
}

function cancelled(signal: string, target: string): ClawError {
  return new ClawError("CANCELLED", `cancelled by ${signal}`, { operation: "run", target, details: { signal } });
}

function timedOut(seconds: number, target: string): ClawError {
  return new ClawError("TIMEOUT", `no answer within ${seconds} s`, {
    operation: "run",
    target,
    details: { timeout_ms: Math.round(seconds * 1000) },
  });
}

/** Aborts when the time is over or the process is told to stop; the reason is the error to report. */
export function createDeadline(
  seconds: number,
  target: string,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): Deadline {
  const late = createLateSignal();
  const stop = (signal: NodeJS.Signals): void => {
    late.abort(cancelled(signal, target));
    // A second signal finds no handler and ends the process at once. A second hang-up is no such wish.
    for (const name of signals) if (name !== HANG_UP) process.off(name, stop);
  };
  for (const name of signals) process.on(name, stop);
  if (seconds <= 0) late.abort(timedOut(seconds, target));
  const longest = 2 ** 31 - 1;
  const expire = (): void => late.abort(timedOut(seconds, target));
  const timer = Number.isFinite(seconds) ? setTimeout(expire, Math.min(seconds * 1000, longest)) : undefined;
  const close = (): void => {
    clearTimeout(timer);
    for (const name of signals) process.off(name, stop);
  };
  return Object.assign(late, { close });
}

/**
 * Waits for work under a deadline. Work is not begun when the time is over already, unless it wants to report that
 * itself; then it has its grace time. Work that ends in the grace time after an abort is believed; work that does not
 * is left behind and the abort's reason is thrown.
 */
export async function withinDeadline<T>(
  deadline: Pick<LateSignal, "reason" | "onAbort">,
  work: () => Promise<T>,
  { graceMs = GRACE_MS, reportsTimeout = false }: { graceMs?: number | undefined; reportsTimeout?: boolean } = {},
): Promise<T> {
  if (!reportsTimeout && deadline.reason !== undefined) throw deadline.reason;
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    const wait = (): void => {
      timer = setTimeout(() => reject(deadline.reason as Error), graceMs);
    };
    if (deadline.reason === undefined) deadline.onAbort(wait);
    else wait();
  });
  try {
    return await Promise.race([work(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
