import * as z from "zod";
import { Count } from "../../../verb/output-parts.ts";
import { MERGE_STRATEGIES } from "../../../workers/worker-words.ts";
import { defineRequest, loose, looseOr } from "../../define-request.ts";
import { dryRun, looseFlag, workerName } from "./worker-parts.ts";

export const mergeWorkerRequest = defineRequest({
  name: "worker.merge",
  summary: "Merges a worker's commits into the branch that its worktree came from, in the repository of its machine.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    strategy: looseOr(z.enum(MERGE_STRATEGIES), "merge").describe(
      "Merge the worker's branch, squash it into one commit, or rebase its commits one by one.",
    ),
    message: loose(z.string().min(1)).describe("Message of the new commit."),
    commit: looseFlag("Whether uncommitted work in the worktree is committed first."),
    dryRun,
  }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    branch: z.string().describe("Branch of the worker."),
    onto: z.string().describe("Branch that the worker's branch was merged into."),
    before: z.string().describe("Commit of that branch before."),
    commit: z.string().nullable().describe("Commit of that branch now; null in a dry run."),
    commitsCount: Count.describe("Commits of the worker that were merged."),
    files: z.array(z.string()).describe("Files that changed on the branch."),
    accepted: z.boolean().describe("Whether the worker's work was accepted before."),
    noop: z.boolean().describe("Whether the branch had all commits before."),
  }),
});
