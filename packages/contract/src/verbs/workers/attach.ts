import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const attach = defineVerb({
  name: "attach",
  group: "workers",
  summary: "Open the terminal of a worker. The worker goes on when you leave.",
  input: z.object({
    worker: z
      .string()
      .describe("Id or name of a worker in a terminal, or the id of a terminal.")
      .meta({ positional: 0 }),
    detachKey: z
      .string()
      .regex(/^\^[A-Z[\\\]^_]$/)
      .default("^\\")
      .describe("Key that leaves the terminal: ^ and a capital letter or one of [\\]^_. ^X means Ctrl-X."),
  }),
  output: z.object({
    terminal_id: z.string(),
    detached: z.boolean().describe("False when the terminal's program has ended."),
    program_exit_code: z.int().nullable().describe("Exit code of the program, when it ended by itself."),
    program_signal: z.int().nullable().describe("Number of the signal that ended the program."),
    ...changeFields,
  }),
  errors: [
    ...BUS_ERRORS,
    "INTERACTIVE_ONLY",
    "TERMINAL_NOT_FOUND",
    "TERMINAL_BUSY",
    "TERMINAL_HOST_FAILED",
    "PUBLISH_RATE_LIMITED",
  ],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [{ description: "Show which terminal would be opened", command: "claw attach 1 --dry-run" }],
});
