/** Limits of models, answers and scripts. Part of `LIMITS`. */
export const MODEL_LIMITS = {
  /** Silence of a model's API after which a request counts as failed. */
  modelIdleMs: 120_000,
  /** The same for an API that sends nothing while a model thinks or is loaded; less than the limit of fetch. */
  modelSilentMs: 290_000,
  /** Size of one model answer on the network; a larger answer is refused. */
  modelAnswerBytes: 128 * 1024 * 1024,
  /** Requests to a model before a temporary failure is reported; the pauses between requests double each time. */
  modelAttempts: 6,
  modelRetryFirstMs: 500,
  modelRetryMostMs: 30_000,
  /** Claw does not wait when a provider asks for a longer pause. */
  modelRetryAfterMs: 60_000,
  /** Size of a script for the scripted model; turns of a script; blocks or alternatives of a turn. */
  modelScriptBytes: 16 * 1024 * 1024,
  modelScriptTurns: 10_000,
  modelScriptBlocks: 1000,
  /** Characters of a scripted answer after the placeholders are filled in; a longer answer is cut. */
  modelScriptTextChars: 1024 * 1024,
} as const;
