import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const rework = defineVerb({
  name: "rework",
  group: "workers",
  summary: "Reject what a worker reported, say why, and start the worker again.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker.").meta({ positional: 0 }),
    reason: z.string().min(1).describe("What the worker is to do better.").meta({ positional: 1 }),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    completion: z.literal("rework"),
    reason: z.string(),
    ...changeFields,
  }),
  errors: [
    ...BUS_ERRORS,
    "BUDGET_EXCEEDED",
    "WORKER_NOT_FOUND",
    "WORKER_NOT_REPORTED",
    "WORKER_ENDED",
    "WORKER_FAILED",
    "PUBLISH_NOT_STORED",
  ],
  effect: "write",
  examples: [{ description: "Say what is missing", command: `claw rework fixer "the tests fail"` }],
});
