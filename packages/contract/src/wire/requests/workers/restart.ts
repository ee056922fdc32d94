import * as z from "zod";
import { defineRequest, looseOr, Word } from "../../define-request.ts";
import { dryRun, StartedWorker, workerName } from "./worker-parts.ts";

export const restartWorkerRequest = defineRequest({
  name: "worker.restart",
  summary: "Starts a worker anew as the same peer; a running process is ended first.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "peerId" },
  request: z.object({
    peerId: workerName("Id or name of the worker."),
    reason: looseOr(Word, "asked to").describe("Why the worker is started anew; its agent is told."),
    dryRun,
  }),
  reply: StartedWorker.partial({ pid: true, bootId: true, folder: true, worktree: true }).describe(
    "A dry run says only who would start, and with which number.",
  ),
});
