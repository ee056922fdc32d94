/** Bounds of the MCP server; part of `LIMITS`. */
export const MCP_LIMITS = {
  /** Sessions of the older protocol that one token may have open over HTTP; the one that was silent longest ends. */
  mcpSessions: 64,
  /** A session without a request or an open stream for this time ends; its client begins another one. */
  mcpSessionMs: 30 * 60 * 1000,
  /** Subscriptions of one token over HTTP, and resources of one subscription. */
  mcpListens: 256,
} as const;
