import * as z from "zod";
import { WorkerFields } from "../../../workers/worker-fields.ts";
import { ANY_PEER, defineRequest } from "../../define-request.ts";

export const listWorkersRequest = defineRequest({
  name: "worker.list",
  summary: "Lists all workers with their states, ended workers included.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({
    fleet: z.string().optional().describe("Only workers of this fleet."),
    endedWithinMs: z
      .int()
      .nonnegative()
      .optional()
      .describe("Workers that ended longer ago are counted and not listed. Without it, all are listed."),
  }),
  reply: z.object({
    workers: z.array(WorkerFields).describe("Oldest first."),
    machine: z.string().optional().describe("The machine of the daemon that answers, in a cluster."),
    hidden: z.int().optional().describe("Number of workers that are counted only; set with `endedWithinMs`."),
  }),
});
