/** Bounds of a client of the bus, browsers included. What happens beyond one is said where it is used. */
export const CLIENT_LIMITS = {
  /** Publishes that wait for a receipt; far fewer than the bus remembers ids of. */
  spoolEvents: 10_000,
  spoolBytes: 16 * 1024 * 1024,
  /** Raw commands that wait for an answer. */
  pendingRequests: 1000,
  /** Events of one subscription that its consumer has not taken yet. */
  bufferedEvents: 1024,
  bufferedBytes: 4 * 1024 * 1024,
  /** Lines received that nobody has read; beyond it a channel stops reading, or hangs up if it cannot. */
  unreadBytes: 1024 * 1024,
  /** What may wait in a channel before the sender ought to pause. */
  unsentBytes: 256 * 1024,
  /** A frame of the bus: an event of the largest request, enveloped. */
  frameBytes: 16 * 1024 * 1024,
  openTimeoutMs: 10_000,
  retryFirstMs: 100,
  retryMostMs: 10_000,
  /** A connection silent for this long is asked for a sign of life, and given up after as long again. */
  silenceMs: 10_000,
  heartbeatMs: 10_000,
  /** Requests of a worker whose answers are kept apart from its other commands. */
  rememberedAsks: 1000,
} as const;
