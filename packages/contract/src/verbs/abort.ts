import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../verb/command-parts.ts";
import { defineVerb } from "../verb/define-verb.ts";

export const abort = defineVerb({
  name: "abort",
  group: "workers",
  summary: "Stop a worker; what it has done so far is kept.",
  input: z.object({
    worker: WorkerRef.describe("Id or name of the worker.").meta({ positional: 0 }),
    reason: z.string().min(1).default("stopped by claw abort").describe("Reason; the worker is told."),
    wait: CommandWait.default("applied").describe("Return when the command has come this far."),
  }),
  output: CommandOutcome,
  errors: [...COMMAND_ERRORS],
  effect: "write",
  examples: [{ description: "Stop a worker", command: "claw abort worker --wait none" }],
});
