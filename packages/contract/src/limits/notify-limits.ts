/** Limits of notices; part of `LIMITS`. */
export const NOTIFY_LIMITS = {
  /** How long the command of a notice may run, and a webhook may take to answer. */
  notifyCommandMs: 30_000,
  notifyWebhookMs: 10_000,
  /** Pauses between attempts to deliver a notice; they double from the first to the longest. */
  notifyRetryFirstMs: 1000,
  notifyRetryMostMs: 5 * 60_000,
  /** A notice that could not be delivered for this long is given up. */
  notifyKeptMs: 24 * 60 * 60_000,
  /** Within this time, notices with the same kind and worker are joined. */
  notifyTogetherMs: 5000,
  /** Characters of the content of a notice. */
  notifyTextChars: 500,
} as const;
