import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../../../verb/command-parts.ts";
import { defineVerb } from "../../../verb/define-verb.ts";

const Stopped = CommandOutcome.pick({ name: true, step: true }).extend({
  worker: z.string(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why the worker was not stopped."),
});

export const abort = defineVerb({
  name: "abort",
  group: "workers",
  summary: "Stop one worker, or all workers; their work so far is kept.",
  input: z.object({
    worker: WorkerRef.optional().describe("Id or name of the worker.").meta({ positional: 0 }),
    all: z.boolean().default(false).describe("Stop every worker that has not ended."),
    yes: z.boolean().default(false).describe("Stop all workers without asking.").meta({ short: "y" }),
    reason: z.string().min(1).default("stopped by claw abort").describe("Reason; the worker is told."),
    wait: CommandWait.default("applied").describe("Return when the command has reached this step."),
  }),
  output: CommandOutcome.extend({
    workers: z.array(Stopped).optional().describe("With --all: every worker that was told to stop."),
  }),
  errors: [...COMMAND_ERRORS, "CONFIRMATION_REQUIRED", "MISSING_ARGUMENT"],
  effect: "write",
  examples: [
    { description: "Stop a worker", command: "claw abort worker --wait none" },
    { description: "Stop all workers, without asking", command: "claw abort --all --yes --wait none" },
  ],
});
