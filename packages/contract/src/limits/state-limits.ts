/** Limits of the states of workers; part of `LIMITS`. */
export const STATE_LIMITS = {
  /** How long a worker in a turn may make no progress before the worker counts as hung; the same while a tool runs. */
  hungMs: 5 * 60_000,
  hungToolMs: 30 * 60_000,
  /** Shortest time between two reports of the same state with different reasons; the last reason is always reported. */
  stateReasonMs: 5000,
  /** How long a worker in REFLECT may take for its report before the worker counts as gone. */
  reportGraceMs: 5000,
  /** Open questions of one worker that are remembered; the oldest are forgotten first. */
  openQuestions: 100,
  /** Ended workers in the list; the oldest are removed first. */
  endedWorkers: 1000,
  /** How long a worker is listed after its end, unless the caller asks for all workers. */
  endedShownMs: 15 * 60_000,
  /** Remembered state changes of one worker. */
  stateChanges: 20,
} as const;
