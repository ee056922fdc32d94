import * as z from "zod";

/** The content of a terminal's screen. */
export const TerminalScreen = z.object({
  text: z.string().describe("The lines, joined, without trailing blanks of lines and blank lines at the end."),
  lines: z.array(z.string()).readonly(),
  cursor: z.object({ x: z.int(), y: z.int() }).readonly().describe("From 0."),
  cols: z.int(),
  rows: z.int(),
  exact: z.boolean().describe("False when some of the output that produced the screen is no longer kept."),
  offset: z.int().min(0).describe("Offset in the output, in bytes, up to which the screen is drawn."),
  bracketedPaste: z.boolean().optional().describe("Whether the program asked for marked pastes (mode 2004)."),
  wrapped: z
    .array(z.boolean())
    .readonly()
    .optional()
    .describe("For each line, whether the line continues the line before, which was full."),
  solid: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("The lines with blanks in place of faint text, such as hints and placeholders."),
  cursorHidden: z.boolean().optional().describe("Whether the program hides the cursor."),
});
/** Optional fields are undefined when they were not examined. */
export type TerminalScreen = Readonly<z.output<typeof TerminalScreen>>;
