import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { TERMINAL_REF } from "./terminal-ref.ts";

/** The content of a terminal's screen. */
const TerminalScreen = z.object({
  text: z.string().describe("The lines, joined, without blanks at the end of lines and blank lines at the end."),
  lines: z.array(z.string()),
  cursor: z.object({ x: z.int(), y: z.int() }).describe("From 0."),
  cols: z.int(),
  rows: z.int(),
  exact: z.boolean().describe("False when some of the output that produced the screen is no longer kept."),
  offset: z.int().describe("Offset in the output, in bytes, up to which the screen is drawn."),
  bracketedPaste: z.boolean().optional().describe("Whether the program asked for marked pastes (mode 2004)."),
  wrapped: z.array(z.boolean()).optional().describe("For each line, whether it continues the line before."),
  solid: z.array(z.string()).optional().describe("The lines with blanks in place of faint text."),
  cursorHidden: z.boolean().optional(),
});

export const showScreenRequest = defineRequest({
  name: "terminal.screen",
  summary: "Shows the screen of a terminal as it is, or as it was last.",
  from: "any client",
  effect: "guarded read",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object(TERMINAL_REF),
  reply: TerminalScreen,
});
