import { precondition, usage } from "./error-row.ts";

/** Configuration files of programs that use claw's MCP server. */
export const mcpClientErrors = {
  MCP_CLIENT_CONFIG_INVALID: precondition(
    "mcp_client_config_invalid",
    "Nothing was changed. Mend the file at the place that the message names, then call again.",
    { class: "parse" },
  ),
  MCP_CLIENT_ENTRY_TAKEN: usage(
    "mcp_client_entry_taken",
    "Nothing was changed. Rename that server, or add --replace to put claw's entry in its place.",
    { class: "mcp", exit: "CONFLICT" },
  ),
  MCP_CLIENT_CONFIG_BUSY: usage(
    "mcp_client_config_busy",
    "Nothing was changed. Call again when the other program is done with the file.",
    { class: "filesystem", exit: "CONFLICT", retryable: true },
  ),
} as const;
