import * as z from "zod";
import { Worktree } from "../../events/families/worktree.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";
import { MERGE_STRATEGIES } from "../../workers/worker-words.ts";

export const accept = defineVerb({
  name: "accept",
  group: "workers",
  summary: "Accept what a worker reported.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker.").meta({ positional: 0 }),
    note: z.string().optional().describe("Note for the record."),
    merge: z
      .boolean()
      .default(false)
      .describe("First merge the worker's branch, as claw merge does; when that fails, accept nothing."),
    strategy: z.enum(MERGE_STRATEGIES).default("merge").describe("How --merge merges the branch."),
    commit: z.boolean().default(false).describe("Let --merge first commit uncommitted work in the worktree."),
    yes: z.boolean().default(false).describe("Accept although checks failed or doubts are left.").meta({ short: "y" }),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    machine: z.string().optional().describe("The machine of the worker, when it is another one."),
    completion: z.literal("accepted"),
    result: z.string().nullable(),
    summary: z.string().nullable(),
    objections: z.array(z.string()).describe("Checks that failed, and doubts that are left."),
    worktree: Worktree.nullable().describe("Worktree of the worker, also when it is removed."),
    work: z.string().nullable().describe("Unmerged work in the worktree, in words; null when there is none."),
    merged: z.string().nullable().describe("Commit with the merged work; null without --merge."),
    onto: z.string().nullable().describe("Branch that --merge merged into; null without --merge."),
    before: z
      .string()
      .nullable()
      .describe("Commit of that branch before; `git reset --keep` to it undoes the merge. Null without --merge."),
    ...changeFields,
  }),
  errors: [
    ...BUS_ERRORS,
    "CONFIRMATION_REQUIRED",
    "MERGE_CONFLICT",
    "NO_WORKTREE",
    "PUBLISH_NOT_STORED",
    "UNCOMMITTED_WORK",
    "WORKER_ENDED",
    "WORKER_NOT_FOUND",
    "WORKER_NOT_REPORTED",
    "WORKTREE_FAILED",
  ],
  effect: "write",
  examples: [
    { description: "By the name of the worker", command: "claw accept fixer" },
    { description: "Merge the worker's branch, then accept", command: "claw accept fixer --merge" },
  ],
});
