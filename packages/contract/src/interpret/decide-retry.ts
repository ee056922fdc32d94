import { EXITS } from "../errors/exits.ts";
import type { ResponseAnomaly } from "./action.ts";
import { rememberRetry, retriesAfter, retriesOf } from "./remember.ts";
import type { ResponseDecision, ResponseFailure } from "./situation.ts";
import { escalate } from "./situation.ts";

/** Retries after one error code until the command succeeds. */
export const MAX_RETRIES_PER_CODE = 3;
/** Retries after all error codes together until the command succeeds, so a sequence of ever new codes also ends. */
export const MAX_RETRIES_PER_COMMAND = 10;
/** Wait before a retry when the answer does not say how long. */
export const DEFAULT_RETRY_DELAY_MS = 1_000;
/** Longest wait before a retry; an answer with a longer wait is escalated. */
export const MAX_RETRY_DELAY_MS = 3_600_000;

/** Retries a failure that may be retried, as long as the limits allow; escalates every other failure. */
export function decideRetry(failure: ResponseFailure): ResponseDecision {
  const { history, command, code } = failure;
  const { retryable, anomalies } = isRetryable(failure);
  if (!retryable) return { ...escalate(failure, "not-retryable"), anomalies };
  if (isExhausted(failure)) return { ...escalate(failure, "retries-exhausted"), anomalies };
  const delay = retryDelay(failure);
  const noticed = [...anomalies, ...delay.anomalies];
  if (delay.ms > MAX_RETRY_DELAY_MS) {
    return { ...escalate(failure, "retry-too-far", { retryAfterMs: delay.ms }), anomalies: noticed };
  }
  const { suggestion } = failure.error;
  const hint = typeof suggestion === "string" ? { suggestion } : {};
  const attempt = retriesAfter(history, command, code) + 1;
  return {
    action: { kind: "retry", delayMs: delay.ms, code, attempt, ...hint },
    history: rememberRetry(history, command, code),
    anomalies: noticed,
  };
}

/**
 * Whether the answer allows another call. The `retryable` field of the answer decides; without the field the row of the
 * exit decides.
 */
export function isRetryable({ error, exit }: ResponseFailure): { retryable: boolean; anomalies: ResponseAnomaly[] } {
  const said = error["retryable"];
  if (typeof said === "boolean") return { retryable: said, anomalies: [] };
  return { retryable: EXITS[exit].retryable, anomalies: said === undefined ? [] : ["retryable-malformed"] };
}

/** Whether one more call after this code would pass a limit. */
export function isExhausted({ history, command, code }: ResponseFailure): boolean {
  return (
    retriesAfter(history, command, code) >= MAX_RETRIES_PER_CODE ||
    retriesOf(history, command) >= MAX_RETRIES_PER_COMMAND
  );
}

function retryDelay({ error, exit }: ResponseFailure): { ms: number; anomalies: ResponseAnomaly[] } {
  const milliseconds = error["retry_after_ms"];
  const seconds = error["retry_after"];
  const isMalformed = [milliseconds, seconds].some((value) => value !== undefined && value !== null && !isWait(value));
  const anomalies: ResponseAnomaly[] = isMalformed ? ["retry-after-malformed"] : [];
  // Milliseconds are exact; seconds in the same answer are rounded.
  if (isWait(milliseconds)) return { ms: Math.ceil(milliseconds), anomalies };
  if (isWait(seconds)) return { ms: Math.ceil(seconds * 1_000), anomalies };
  return { ms: exit === "ARG_ERROR" ? 0 : DEFAULT_RETRY_DELAY_MS, anomalies };
}

function isWait(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
