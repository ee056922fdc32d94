/** Every bound of the product, in one place. Units are in the names. */
export const LIMITS = {
  /** A JSON answer larger than this is cut and says so. */
  answerBytes: 1024 * 1024,
  /** Text that would be larger goes to a file. */
  textBytes: 64 * 1024 * 1024,
  /** A verb that has not answered by then is ended. */
  verbTimeoutSeconds: 120,
  listDefault: 100,
  listMax: 10_000,
  /** How long a writer waits for another process to leave a session. */
  lockWaitMs: 5000,
  lockPollMs: 20,
  sessionIdLength: 128,
  /** One line of a session file. */
  sessionLineBytes: 16 * 1024 * 1024,
  /** How much of a session's end is read to find the totals of its last commit. */
  sessionTailBytes: 16 * 1024,
  sessionHeadBytes: 4 * 1024,
  /** A session without totals near its end is counted line by line up to this size when it is listed. */
  sessionScanBytes: 2 * 1024 * 1024,
  promptBytes: 1024 * 1024,
  settingsBytes: 1024 * 1024,
  settingsDepth: 32,
  idempotencyKeyLength: 128,
  /** How long the answer to a call with an idempotency key is remembered. */
  idempotencyRetentionMs: 7 * 24 * 60 * 60 * 1000,
  suggestions: 3,
  /** What a child's stdout or stderr may hold before the rest is dropped. */
  commandOutputBytes: 1024 * 1024,
  gitTimeoutMs: 5000,
} as const;
