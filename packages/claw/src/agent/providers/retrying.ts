import { setTimeout } from "node:timers/promises";
import { ClawError, countOf, LIMITS } from "claw-contract";
import type { ModelEvent, Provider } from "./provider.ts";

export interface RetryOptions {
  /** How often a request is sent at most. */
  readonly maxAttempts?: number;
  /** The first pause. Each further pause is twice as long, up to `maxDelayMs`. */
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Returns a number from 0 to 1, which scales the random half of a pause. */
  readonly random?: () => number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

const DEFAULTS: Required<RetryOptions> = {
  maxAttempts: LIMITS.modelAttempts,
  firstDelayMs: LIMITS.modelRetryFirstMs,
  maxDelayMs: LIMITS.modelRetryMostMs,
  random: Math.random,
  wait: sleep,
};

/** Half of each pause is random, so that clients that failed together do not come back together. */
function pauseOf(attempt: number, { firstDelayMs, maxDelayMs, random }: Required<RetryOptions>): number {
  const full = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs);
  return Math.round(full / 2 + (full / 2) * random());
}

/** The pause before the next attempt; undefined when the request is not sent again. */
function nextPause(error: ClawError, attempt: number, options: Required<RetryOptions>): number | undefined {
  if (!error.retryable || attempt >= options.maxAttempts) return undefined;
  const { retryAfterMs } = error.options;
  if (retryAfterMs === undefined) return pauseOf(attempt, options);
  return retryAfterMs > LIMITS.modelRetryAfterMs ? undefined : retryAfterMs;
}

/** The same failure, with the number of attempts. */
const afterAttempts = (error: ClawError, attempts: number): ClawError =>
  attempts === 1
    ? error
    : new ClawError(error.code, `${error.message} (after ${attempts} attempts)`, {
        ...error.options,
        details: { ...error.options.details, attempts },
      });

const retryEvent = (error: ClawError, attempt: number, maxAttempts: number, delayMs: number): ModelEvent => ({
  kind: "retry",
  attempt,
  maxAttempts,
  delayMs,
  status: countOf(error.options.details?.["status"]) ?? null,
  reason: error.message,
});

/**
 * The same provider, but a request is sent again when the failure may pass: overload, limits, broken answers, lost
 * connections. When the provider asks for a pause longer than `LIMITS.modelRetryAfterMs`, the request is not sent
 * again, and the failure says how long the pause would be.
 */
export function withRetries(provider: Provider, given: RetryOptions = {}): Provider {
  const options = { ...DEFAULTS, ...given };
  return {
    id: provider.id,
    ...(provider.warm === undefined ? {} : { warm: (model: string) => provider.warm?.(model) ?? Promise.resolve() }),
    ask: async (request, emit, signal) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await provider.ask(request, emit, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ClawError)) throw error;
          const delayMs = nextPause(error, attempt, options);
          if (delayMs === undefined) throw afterAttempts(error, attempt);
          emit(retryEvent(error, attempt, options.maxAttempts, delayMs));
          await options.wait(delayMs, signal);
          signal.throwIfAborted();
        }
      }
    },
  };
}
