import * as z from "zod";
import { BUS_CHANGE_ERRORS, TerminalRef } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const execInTerminal = defineVerb({
  name: "terminal exec",
  group: "workers",
  summary: "Run a command line in the shell of a terminal. Fails when the command line fails.",
  input: z.object({
    terminal: TerminalRef.meta({ positional: 0 }),
    commandLine: z
      .string()
      .min(1)
      .max(64 * 1024)
      .describe("Command line, quoted as one argument.")
      .meta({ positional: 1 }),
  }),
  output: z.object({
    terminal_id: z.string(),
    command_line: z.string(),
    output: z.string().describe("Output of the command line, as far as it is kept."),
    command_exit: z.int().nullable().describe("Exit code of the command line; null when unknown."),
    duration_ms: Count,
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "TERMINAL_HOST_FAILED", "TERMINAL_NOT_FOUND", "EXEC_FAILED"],
  effect: "write",
  unlimited: true,
  examples: [{ description: "Run the tests", command: "claw terminal exec 1 'echo tested'" }],
});
