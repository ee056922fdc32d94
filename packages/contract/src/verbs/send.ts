import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../verb/command-parts.ts";
import { defineVerb } from "../verb/define-verb.ts";

export const send = defineVerb({
  name: "send",
  group: "workers",
  summary: "Give a worker a text as if it was typed, and say what shows that it was taken.",
  input: z.object({
    worker: WorkerRef.describe("Id or name of the worker, or the id of a terminal.").meta({ positional: 0 }),
    text: z.string().optional().describe("What to send; from stdin when it is - or missing.").meta({ positional: 1 }),
    wait: CommandWait.default("submitted").describe("How far it has to come before the answer."),
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
