/** Additions to the old wire that a client may ask for in its hello. */
export const CAPABILITIES = [
  "receipts",
  "gap",
  "durable",
  "resume",
  "transient",
  "heartbeat",
  "tool",
  "spool",
] as const;

export type Capability = (typeof CAPABILITIES)[number];
