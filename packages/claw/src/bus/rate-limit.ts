/** Allows a rate with bursts of one second. */
export interface RateLimit {
  /** Takes one; otherwise says how long to wait. */
  take(nowMs: number): { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };
  /** Puts back what was taken for nothing. */
  giveBack(): void;
}

const SECOND_MS = 1000;

/** A bucket that fills by `perSecond`; 0 means no limit. */
export function createRateLimit(perSecond: number): RateLimit {
  let tokens = perSecond;
  let filledAt = 0;
  return {
    take: (nowMs) => {
      if (perSecond === 0) return { ok: true };
      if (filledAt === 0) filledAt = nowMs;
      tokens = Math.min(perSecond, tokens + ((nowMs - filledAt) / SECOND_MS) * perSecond);
      filledAt = nowMs;
      if (tokens >= 1) {
        tokens -= 1;
        return { ok: true };
      }
      return { ok: false, retryAfterMs: Math.ceil(((1 - tokens) / perSecond) * SECOND_MS) };
    },
    giveBack: () => {
      tokens = Math.min(perSecond, tokens + 1);
    },
  };
}
