/** Bounds of the configuration files of MCP clients. Part of `LIMITS`. */
export const MCP_CLIENT_LIMITS = {
  /** A larger file is left alone. */
  mcpClientConfigBytes: 16 * 1024 * 1024,
  /** How often an edit begins anew because another program changed the file meanwhile. */
  mcpClientConfigTries: 5,
  /** How long the client's own command may take to add or remove the entry. */
  mcpClientCommandMs: 30_000,
} as const;
