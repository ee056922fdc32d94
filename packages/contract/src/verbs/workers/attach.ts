import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const attach = defineVerb({
  name: "attach",
  group: "workers",
  summary: "Open the terminal of a worker. Leaving it does not end the worker.",
  input: z.object({
    worker: z
      .string()
      .describe("Id or name of a worker in a terminal, or the id of a terminal.")
      .meta({ positional: 0 }),
    detachKey: z
      .string()
      .regex(/^\^[A-Z[\\\]^_]$/)
      .default("^\\")
      .describe("Key that leaves the terminal: ^X stands for Ctrl-X; a capital letter or one of [\\]^_."),
  }),
  output: z.object({
    terminal_id: z.string(),
    detached: z.boolean().describe("False when the program in it has ended."),
    program_exit_code: z.int().nullable().describe("Of the program, when it ended by itself."),
    program_signal: z.int().nullable().describe("That ended the program."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: ["INTERACTIVE_ONLY", "TERMINAL_NOT_FOUND", "TERMINAL_HOST_FAILED"],
  effect: "write",
  unlimited: true,
  examples: [{ description: "What would be attached to, on a terminal", command: "claw attach 1 --dry-run" }],
});
