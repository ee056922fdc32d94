/** The part of the tools' contract that needs no schema library. */
export type { ToolSet } from "./tool-sets.ts";
export { TOOL_SETS } from "./tool-sets.ts";
export type { OldToolInput, OldToolName, OldToolOutput, ToolInput, ToolName, ToolOutput } from "./tool-types.ts";
export { ANSWER_RESERVE_SECONDS, MAX_TOOL_WAIT_SECONDS } from "./tool-limits.ts";
