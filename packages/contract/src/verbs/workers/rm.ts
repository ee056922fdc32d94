import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const rm = defineVerb({
  name: "rm",
  group: "workers",
  summary: "Remove a worker that has ended, with its logs; never a worktree that holds work.",
  input: z.object({ worker: WorkerRef.describe("Worker by id or name.").meta({ positional: 0 }) }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    paths: z.array(z.string()).describe("Removed paths: folder and worktree of the worker."),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "WORKER_NOT_FOUND", "WORKER_RUNNING", "WORKTREE_HOLDS_WORK", "PUBLISH_NOT_STORED"],
  effect: "delete",
  examples: [{ description: "By its name", command: "claw rm fixer" }],
});
