import type * as z from "zod";
import type { DEFAULT_TOOLS } from "./default-tools.ts";

/** Name of a tool of the default set. */
export type ToolName = keyof typeof DEFAULT_TOOLS;
export type ToolInput<N extends ToolName> = z.output<(typeof DEFAULT_TOOLS)[N]["input"]>;
export type ToolOutput<N extends ToolName> = z.input<(typeof DEFAULT_TOOLS)[N]["output"]>;
