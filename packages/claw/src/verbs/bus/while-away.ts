import { setTimeout as delay } from "node:timers/promises";
import type { ErrorCode } from "claw-contract";
import { ClawError } from "claw-contract";

/** Pause before the bus is tried again. */
const AWAY_PAUSE_MS = 100;

const AWAY: ReadonlySet<ErrorCode> = new Set(["BUS_UNREACHABLE", "DAEMON_NOT_RUNNING"]);

/** Whether an error means that the daemon is not there, or left before it had answered. */
export const isBusAway = (error: unknown): error is ClawError => error instanceof ClawError && AWAY.has(error.code);

export interface AwayLimits {
  readonly signal: AbortSignal;
  /** The time from which on the error is final, in milliseconds since 1970. Asked after each error. */
  readonly deadlineMs: () => number;
}

/**
 * Does work that is safe to repeat, and repeats the work while the daemon is away. Rejects with the last error once the
 * time is over, and with the signal's reason.
 */
export async function whileAway<T>({ signal, deadlineMs }: AwayLimits, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isBusAway(error) || Date.now() + AWAY_PAUSE_MS >= deadlineMs()) throw error;
    }
    await delay(AWAY_PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
