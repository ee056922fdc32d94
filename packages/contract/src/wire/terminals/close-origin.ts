/** The peer, program or event that closed a terminal. */
export const CLOSE_ORIGINS = [
  "marker",
  "error",
  "timeout",
  "orchestrator",
  "user",
  "pub_complete",
  "wave_violation",
  "idle_timeout",
  "ttl_max",
] as const;

export type CloseOrigin = (typeof CLOSE_ORIGINS)[number];
