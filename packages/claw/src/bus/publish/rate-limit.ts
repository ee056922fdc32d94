/** Allows a rate with bursts of one second. */
export interface RateLimit {
  /** Counts one event. When the rate is used up, says after how many milliseconds the next event may pass. */
  take(nowMs: number): { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };
  /** Takes back one counted event, because the event was not stored. */
  giveBack(): void;
  /** How many events may pass at once. */
  left(nowMs: number): number;
}

const SECOND_MS = 1000;

/** Waits shorter than this come from rounding and count as zero. */
const ROUNDING_MS = 1e-6;

const TAKEN = { ok: true } as const;

const UNLIMITED: RateLimit = { take: () => TAKEN, giveBack: () => undefined, left: () => Infinity };

/** A bucket that fills by `perSecond`; 0 means no limit. A clock that is set back fills nothing and takes nothing. */
export function createRateLimit(perSecond: number): RateLimit {
  if (perSecond === 0) return UNLIMITED;
  let tokens = perSecond;
  let filledAt: number | undefined;
  const fill = (nowMs: number): void => {
    const elapsedMs = Math.max(0, nowMs - (filledAt ?? nowMs));
    tokens = Math.min(perSecond, tokens + (elapsedMs / SECOND_MS) * perSecond);
    filledAt = nowMs;
  };
  return {
    take: (nowMs) => {
      fill(nowMs);
      const missingMs = ((1 - tokens) / perSecond) * SECOND_MS;
      if (missingMs > 2 * ROUNDING_MS) return { ok: false, retryAfterMs: Math.ceil(missingMs - ROUNDING_MS) };
      tokens -= 1;
      return TAKEN;
    },
    giveBack: () => {
      tokens = Math.min(perSecond, tokens + 1);
    },
    left: (nowMs) => {
      fill(nowMs);
      return tokens;
    },
  };
}
