import { LIMITS } from "@claw/contract";

/** How long a worker rests after a usage limit. */
export interface Rest {
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Whether the agent said so, or it is a guess. */
  readonly known: boolean;
}

export interface LimitFacts {
  /** When the agent says the limit is over. */
  readonly resetsAtMs: number | null;
  /** Pauses in a row whose end nobody knew. */
  readonly pauses: number;
  readonly nowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
}

/** When to go on after a usage limit: when it is over, or after a pause that grows; always a little later. Pure. */
export function restAfter({ resetsAtMs, pauses, nowMs, random }: LimitFacts): Rest {
  const known = resetsAtMs !== null && resetsAtMs > nowMs;
  const guess = Math.min(LIMITS.usageLimitFirstMs * 2 ** Math.min(pauses, 30), LIMITS.usageLimitMostMs);
  // An end that is over already is believed once; a limit that still holds then has another.
  const isOver = resetsAtMs !== null && !known && pauses === 0;
  const pause = known ? resetsAtMs - nowMs : isOver ? LIMITS.usageLimitOverMs : guess;
  const jitter = random * Math.min(LIMITS.usageLimitJitterMs, pause * LIMITS.usageLimitJitterShare);
  return { until: Math.ceil(nowMs + pause + jitter), known };
}
