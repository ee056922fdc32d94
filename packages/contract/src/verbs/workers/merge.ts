import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";
import { MERGE_STRATEGIES } from "../../workers/worker-words.ts";

export const merge = defineVerb({
  name: "merge",
  group: "workers",
  summary: "Merge a worker's commits into the branch that its worktree came from.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker.").meta({ positional: 0 }),
    strategy: z
      .enum(MERGE_STRATEGIES)
      .default("merge")
      .describe("Merge the worker's branch, squash it into one commit, or rebase its commits one by one."),
    message: z.string().min(1).optional().describe("Message of the new commit."),
    commit: z.boolean().default(false).describe("First commit uncommitted work in the worktree."),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    machine: z.string().optional().describe("The machine of the worker, when it is another one."),
    strategy: z.enum(MERGE_STRATEGIES),
    branch: z.string().describe("Branch of the worker."),
    onto: z.string().describe("Branch that the worker's branch was merged into."),
    before: z.string().describe("Commit of that branch before; `git reset --keep` to it undoes the merge."),
    commit: z.string().nullable().describe("Commit of that branch now; null in a dry run."),
    commits_count: Count.describe("Commits of the worker that were merged."),
    files: z.array(z.string()).describe("Files that changed on the branch."),
    accepted: z.boolean().describe("Whether the worker was accepted before; then claw rm removes its worktree."),
    ...changeFields,
  }),
  errors: [
    ...BUS_ERRORS,
    "MERGE_CONFLICT",
    "NO_WORKTREE",
    "UNCOMMITTED_WORK",
    "WORKER_NOT_FOUND",
    "WORKER_NOT_REPORTED",
    "WORKTREE_FAILED",
  ],
  effect: "write",
  examples: [
    { description: "Merge a worker's commits", command: "claw merge fixer" },
    {
      description: "As one commit, with uncommitted work",
      command: "claw merge fixer --strategy squash --commit",
    },
  ],
});
