import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { dryRun, workerName } from "./worker-parts.ts";

export const removeWorkerRequest = defineRequest({
  name: "worker.remove",
  summary: "Removes a worker that has ended, with its folder and a worktree without work.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({ worker: workerName("Id or name of the worker."), dryRun }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    paths: z.array(z.string()).describe("Paths that were removed; in a dry run, paths that would be."),
  }),
});
