/** Limits of the bus that a client heeds too. Apart from the others, so that a page does not load them all. */
export const REQUEST_LIMITS = {
  /** How long after its end a worker may still need a person: for its report, its failed checks or its budget. */
  needsShownMs: 7 * 24 * 60 * 60_000,
  /** A line a client of the bus may send. */
  requestLineBytes: 1024 * 1024,
  /** Events sent to a durable subscription that may wait for an acknowledgement. */
  durableInFlight: 1000,
} as const;
