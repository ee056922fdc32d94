import * as z from "zod";
import { defineRequest, refusedAs, Word } from "../../define-request.ts";
import { JudgedWorker, dryRun, workerName } from "./worker-parts.ts";

export const reworkWorkerRequest = defineRequest({
  name: "worker.rework",
  summary: "Rejects what a worker reported and starts the worker again.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    reason: refusedAs(Word, "reason required").describe("What the worker is to do better."),
    dryRun,
  }),
  reply: JudgedWorker.extend({ reason: z.string() }),
});
