import type * as z from "zod";
import type { OLD_TOOLS } from "./old/index.ts";
import type { DEFAULT_TOOLS } from "./default-tools.ts";

/** Name of a tool of claws 0.8. */
export type OldToolName = keyof typeof OLD_TOOLS;
export type OldToolInput<N extends OldToolName> = z.output<(typeof OLD_TOOLS)[N]["input"]>;
export type OldToolOutput<N extends OldToolName> = z.input<(typeof OLD_TOOLS)[N]["output"]>;

/** Name of a tool of the default set. */
export type ToolName = keyof typeof DEFAULT_TOOLS;
export type ToolInput<N extends ToolName> = z.output<(typeof DEFAULT_TOOLS)[N]["input"]>;
export type ToolOutput<N extends ToolName> = z.input<(typeof DEFAULT_TOOLS)[N]["output"]>;
