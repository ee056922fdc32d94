/** Bounds on what a peer may send. A value beyond one of them is refused, never cut. */
export const EVENT_LIMITS = {
  /** Characters of a topic or a topic pattern. */
  topicLength: 256,
  /** Dot-separated segments of a topic or a topic pattern. */
  topicSegments: 16,
  /** Characters of `request_id` and `correlation_id`. */
  requestIdLength: 128,
  /** Characters of a schema name, version included. */
  schemaNameLength: 128,
  /** Entries of a list inside an event. */
  listItems: 1000,
  /** Problems reported for one malformed event; the rest is left out. */
  problems: 20,
} as const;
