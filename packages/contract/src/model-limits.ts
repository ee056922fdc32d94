/** Bounds of models, their answers and their scripts. Part of `LIMITS`. */
export const MODEL_LIMITS = {
  /** Silence of a model's API after which a request counts as failed. */
  modelIdleMs: 120_000,
  /** The same where nothing is sent while a model thinks or is being loaded; less than fetch itself allows. */
  modelSilentMs: 290_000,
  /** One answer of a model, as it comes over the network; a larger one is refused. */
  modelAnswerBytes: 128 * 1024 * 1024,
  /** How long the end of a stream is waited for once its answer is whole. */
  modelLingerMs: 1000,
  /** Characters of a provider's error that a failure holds. */
  modelErrorChars: 1000,
  /** How often a model is asked before a failure that may pass counts; the pauses between, doubled each time. */
  modelAttempts: 6,
  modelRetryFirstMs: 500,
  modelRetryMostMs: 30_000,
  /** A provider that asks for a longer pause is not waited for. */
  modelRetryAfterMs: 60_000,
  /** A script of the scripted model; its turns, and what one of them holds. */
  modelScriptBytes: 16 * 1024 * 1024,
  modelScriptTurns: 10_000,
  modelScriptBlocks: 1000,
  /** Text of a scripted answer once everything is filled in; a longer one is cut. */
  modelScriptTextChars: 1024 * 1024,
} as const;
