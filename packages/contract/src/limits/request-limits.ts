/** Limits of the bus that a client heeds too. Apart from the others, so that a page does not load them all. */
export const REQUEST_LIMITS = {
  /** A line a client of the bus may send. */
  requestLineBytes: 1024 * 1024,
  /** Events sent to a durable subscription that may wait for an acknowledgement. */
  durableInFlight: 1000,
} as const;
