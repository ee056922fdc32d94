import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const restart = defineVerb({
  name: "restart",
  group: "workers",
  summary: "Start a worker again: the same worker, in its next life. A running worker is ended first.",
  input: z.object({
    worker: WorkerRef.describe("Worker by id or name.").meta({ positional: 0 }),
    reason: z.string().min(1).max(4000).default("asked to by claw restart").describe("Reason; the worker is told."),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    attempt: Count.describe("Number of this life; the first is 1."),
    pid: Count.nullable().describe("Process id of the worker; null in a dry run."),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "BUDGET_EXCEEDED", "WORKER_NOT_FOUND", "WORKER_ENDED", "WORKER_FAILED", "PUBLISH_NOT_STORED"],
  effect: "write",
  examples: [{ description: "After the worker crashed too often", command: "claw restart fixer" }],
});
