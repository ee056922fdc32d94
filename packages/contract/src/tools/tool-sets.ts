/** Sets of tools that the MCP server can list. */
export const TOOL_SETS = ["default", "all"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];
