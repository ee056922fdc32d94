import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../../../verb/command-parts.ts";
import { defineVerb } from "../../../verb/define-verb.ts";

export const send = defineVerb({
  name: "send",
  group: "workers",
  summary: "Send a worker a text, as if it was typed, and say how far it came.",
  input: z.object({
    worker: WorkerRef.describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    text: z
      .string()
      .optional()
      .describe("Text to send; without it, or with -, it is read from standard input.")
      .meta({ positional: 1 }),
    wait: CommandWait.optional().describe(
      "Return when the command has come this far; by default queued when the worker is busy, else submitted.",
    ),
  }),
  output: CommandOutcome,
  errors: [
    ...COMMAND_ERRORS,
    "MISSING_PROMPT",
    "REQUEST_TOO_LARGE",
    "TERMINAL_BUSY",
    "TERMINAL_HOST_FAILED",
    "TERMINAL_NOT_FOUND",
  ],
  effect: "write",
  examples: [
    { description: "Tell a worker something", command: "claw send worker 'use the other parser' --wait none" },
  ],
});
