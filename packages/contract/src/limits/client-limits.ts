/** Limits of a client of the bus, browsers included. The code that uses a limit says what happens beyond the limit. */
export const CLIENT_LIMITS = {
  /** Publishes that wait for a receipt; the bus remembers far more event ids. */
  spoolEvents: 10_000,
  spoolBytes: 16 * 1024 * 1024,
  /** Raw requests that wait for an answer. */
  pendingRequests: 1000,
  /** Events of one subscription that the consumer has not taken yet. */
  bufferedEvents: 1024,
  bufferedBytes: 4 * 1024 * 1024,
  /** Received bytes the client has not read; beyond the limit a channel stops reading, or closes if it cannot stop. */
  unreadBytes: 1024 * 1024,
  /** Bytes that may wait in a channel before the sender should pause. */
  unsentBytes: 256 * 1024,
  /** A frame of the bus: an event of the largest request, enveloped. */
  frameBytes: 16 * 1024 * 1024,
  openTimeoutMs: 10_000,
  retryFirstMs: 100,
  retryMostMs: 10_000,
  /** Silence after which the client asks for a sign of life; after the same time again the client disconnects. */
  silenceMs: 10_000,
  heartbeatMs: 10_000,
} as const;
