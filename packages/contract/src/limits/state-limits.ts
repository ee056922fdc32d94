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
  /** Events that are read for one answer about an earlier moment; a further request goes on from there. */
  momentEvents: 50_000,
  /** Events between two stored states from which earlier moments are rebuilt; with many workers twice their number. */
  momentSpacing: 5000,
  /** How much of the log one read for a moment takes: more at a time is sooner done, and holds the process up for longer. */
  momentReadBytes: 256 * 1024,
  /** Bytes of all stored states; beyond the limit, every second of the oldest is removed. */
  momentBytes: 256 * 1024 * 1024,
  /** Requests for earlier moments that may wait. */
  momentsWaiting: 16,
  /** Remembered state changes of one worker. */
  stateChanges: 20,
} as const;
