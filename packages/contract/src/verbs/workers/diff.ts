import * as z from "zod";
import { Worktree } from "../../events/families/worktree.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

const Lines = Count.nullable();

export const diff = defineVerb({
  name: "diff",
  group: "workers",
  summary: "Show what a worker changed in its worktree, committed or not.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker.").meta({ positional: 0 }),
    stat: z.boolean().default(false).describe("Only list the files and count their changed lines."),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    machine: z.string().optional().describe("The machine of the worker, when it is another one."),
    worktree: Worktree,
    base: z.string().describe("Commit that the worktree is compared with: where the worker's branch began."),
    files: z
      .array(z.object({ path: z.string(), insertions: Lines, deletions: Lines }))
      .describe("Files that differ; line counts are null for a file that is not text."),
    commits: z.array(z.object({ sha: z.string(), subject: z.string() })).describe("Newest first."),
    uncommitted: z.array(z.string()).describe("Files whose changes are not committed."),
    problem: z.string().nullable().describe("Why commits of the worker's commands are not on its branch."),
    patch: z.string().nullable().describe("The changes as text; null with --stat."),
    patch_cut: z.boolean().describe("Whether the patch is longer than this."),
  }),
  errors: [...BUS_ERRORS, "NO_WORKTREE", "WORKER_NOT_FOUND", "WORKTREE_FAILED"],
  effect: "read",
  examples: [
    { description: "All changes of a worker", command: "claw diff fixer" },
    { description: "Only the changed files", command: "claw diff fixer --stat" },
  ],
});
