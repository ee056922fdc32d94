import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../../../verb/command-parts.ts";
import { defineVerb } from "../../../verb/define-verb.ts";

export const send = defineVerb({
  name: "send",
  group: "workers",
  summary: "Send a worker a text, as if a person typed it, and print how far the text came.",
  input: z.object({
    worker: WorkerRef.describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    text: z
      .string()
      .optional()
      .describe("Text to send; without it, or with -, standard input is read.")
      .meta({ positional: 1 }),
    wait: CommandWait.optional().describe(
      "Return when the command has reached this step; by default queued for a busy worker, else submitted.",
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
  examples: [{ description: "Send a worker a text", command: "claw send worker 'use the other parser' --wait none" }],
});
