import { CLIENT_LIMITS } from "claw-contract";

/**
 * How long to wait before the next attempt, after so many in a row that failed: doubling up to a cap, half of it by
 * chance, so that clients of a restarted bus do not all come at once.
 */
export function backOffMs(failures: number, random: number): number {
  const { retryFirstMs, retryMostMs } = CLIENT_LIMITS;
  const full = Math.min(retryMostMs, retryFirstMs * 2 ** Math.min(failures, 30));
  return Math.round(full / 2 + (full / 2) * random);
}
