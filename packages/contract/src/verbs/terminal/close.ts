import * as z from "zod";
import { BUS_CHANGE_ERRORS, TerminalRef } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const closeTerminal = defineVerb({
  name: "terminal close",
  group: "workers",
  summary: "Close a terminal and end its programs; its output is kept.",
  input: z.object({ terminal: TerminalRef.meta({ positional: 0 }) }),
  output: z.object({
    terminal_id: z.string(),
    closed: z.boolean().describe("False when the terminal was closed before."),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "TERMINAL_HOST_FAILED", "TERMINAL_NOT_FOUND"],
  effect: "delete",
  examples: [{ description: "By its id", command: "claw terminal close 1" }],
});
