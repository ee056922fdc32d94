import * as z from "zod";
import { defineRequest, loose, Word } from "../../define-request.ts";
import { JudgedWorker, dryRun, looseFlag, workerName } from "./worker-parts.ts";

export const acceptWorkerRequest = defineRequest({
  name: "worker.accept",
  summary: "Accepts what a worker reported.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    force: looseFlag("Whether failed checks and doubts are overruled."),
    note: loose(Word).describe("Note for the record."),
    dryRun,
  }),
  reply: JudgedWorker.extend({
    noop: z.boolean().describe("Whether the result was accepted before."),
    objections: z.array(z.string()).describe("What speaks against the result."),
  }),
});
