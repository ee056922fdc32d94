import * as z from "zod";
import { COMMAND_ERRORS, CommandOutcome, CommandWait, WorkerRef } from "../../../verb/command-parts.ts";
import { defineVerb } from "../../../verb/define-verb.ts";

export const resume = defineVerb({
  name: "resume",
  group: "workers",
  summary: "Let a paused worker go on.",
  input: z.object({
    worker: WorkerRef.describe("Id or name of the worker.").meta({ positional: 0 }),
    wait: CommandWait.default("applied").describe("Return when the command has reached this step."),
  }),
  output: CommandOutcome,
  errors: [...COMMAND_ERRORS],
  effect: "write",
  examples: [{ description: "Let it go on", command: "claw resume worker --wait none" }],
});
