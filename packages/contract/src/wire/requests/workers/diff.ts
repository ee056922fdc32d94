import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { looseFlag, workerName } from "./worker-parts.ts";

const Lines = z.int().min(0).nullable();

export const diffWorkerRequest = defineRequest({
  name: "worker.diff",
  summary: "Shows what a worker changed in its worktree, committed or not, with secrets masked.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    stat: looseFlag("Whether only the files are wanted, and not the patch."),
    take: looseFlag("Whether commits that a killed agent left apart are put on the worker's branch first."),
  }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    base: z.string().describe("Commit that the worktree is compared with: where the worker's branch left."),
    branch: z.string(),
    files: z
      .array(z.object({ path: z.string(), insertions: Lines, deletions: Lines }))
      .describe("Files that differ; line counts are null for a file that is not text."),
    commits: z.array(z.object({ sha: z.string(), subject: z.string() })).describe("Newest first."),
    uncommitted: z.array(z.string()).describe("Files whose changes are not committed."),
    patch: z.string().describe("The changes as a unified diff; empty with `stat`."),
    cut: z.boolean().describe("Whether the patch is longer than this."),
    problem: z
      .string()
      .nullable()
      .optional()
      .describe("With `take`: why commits of the worker's commands are not on its branch; null when all are."),
    merged: z
      .boolean()
      .optional()
      .describe("With `take`: whether all changes are committed, and on the branch that the worktree came from."),
  }),
});
