import { LIMITS } from "claw-contract";

/** The first pause after a usage limit with an unknown end. Each next pause is twice as long. */
const USAGE_LIMIT_FIRST_MS = 60_000;
/** The largest share of a pause that is added at random. */
const USAGE_LIMIT_JITTER_SHARE = 0.1;

/** How long a worker rests after a usage limit. */
export interface Rest {
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Whether the agent told the end of the limit; otherwise the end is a guess. */
  readonly known: boolean;
}

export interface LimitFacts {
  /** When the limit is over, by the agent's own message; null when not told. */
  readonly resetsAtMs: number | null;
  /** Number of guessed pauses in a row. */
  readonly pauses: number;
  readonly nowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
}

/** When to continue after a usage limit: at the end of the limit, or after a growing pause, plus a little. Pure. */
export function restAfter({ resetsAtMs, pauses, nowMs, random }: LimitFacts): Rest {
  const known = resetsAtMs !== null && resetsAtMs > nowMs;
  const guess = Math.min(USAGE_LIMIT_FIRST_MS * 2 ** Math.min(pauses, 30), LIMITS.usageLimitMostMs);
  // An end in the past is trusted once. If the limit still applies afterwards, the end must be a different one.
  const isOver = resetsAtMs !== null && !known && pauses === 0;
  const pause = known ? resetsAtMs - nowMs : isOver ? LIMITS.usageLimitOverMs : guess;
  const jitter = random * Math.min(LIMITS.usageLimitJitterMs, pause * USAGE_LIMIT_JITTER_SHARE);
  return { until: Math.ceil(nowMs + pause + jitter), known };
}

/** The system clock may be changed during the wait, so the clock is checked again at this interval. */
const LOOK_AGAIN_MS = 60_000;

/** Resolves at the given time, or when the signal is aborted. */
export async function waitUntil(untilMs: number, now: () => number, signal: AbortSignal): Promise<void> {
  for (let left = untilMs - now(); left > 0 && !signal.aborted; left = untilMs - now()) {
    const pause = Math.min(left, LOOK_AGAIN_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pause);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
