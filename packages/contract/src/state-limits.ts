/** Bounds of what is said of workers; part of `LIMITS`. */
export const STATE_LIMITS = {
  /** How long a worker in a turn may come no further before it counts as hung; the same while a tool runs. */
  hungMs: 5 * 60_000,
  hungToolMs: 30 * 60_000,
  /** How often another reason for the same state is told; the last one always is. */
  stateReasonMs: 5000,
  /** Questions of one worker that are known to be open; the oldest go first. */
  openQuestions: 100,
  /** Ended workers that are still listed; the oldest go first. */
  endedWorkers: 1000,
  /** How long a worker is listed after its end unless all are asked for. */
  endedShownMs: 15 * 60_000,
  /** Changes of its state that are remembered of one worker. */
  stateChanges: 20,
} as const;
