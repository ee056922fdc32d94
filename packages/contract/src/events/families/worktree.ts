import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { flag, text, timestamp, whole } from "../fields.ts";

const ts = timestamp("When.");

export const Worktree = z
  .looseObject({
    path: text("Where it lies."),
    branch: text("Its branch."),
    base: text("Commit it began at."),
    from: text("Branch that was checked out in the repository then.").nullable().optional(),
    repository: text("The repository it belongs to."),
    port: whole("The port it may listen at.").nullable().optional(),
  })
  .describe("A git worktree of the worker's own.");
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeChanges = z
  .object({
    files: whole("Files that differ from the commit it began at."),
    insertions: whole("Lines that were added."),
    deletions: whole("Lines that were removed."),
    commits: whole("Commits on its branch."),
    uncommitted: whole("Files whose changes are not committed."),
  })
  .describe("What was done in a worktree.");
export type WorktreeChanges = z.infer<typeof WorktreeChanges>;

export const WorkerCleared = z.looseObject({
  peerId: text("The worker whose worktree was removed."),
  path: text("Where the worktree was."),
  branch: text("Its branch, which is removed too unless it holds commits that are nowhere else."),
  ts,
});
export type WorkerCleared = z.infer<typeof WorkerCleared>;

export const WorkerKept = z.looseObject({
  peerId: text("The worker whose worktree stays."),
  path: text("Where the worktree is."),
  branch: text("Its branch."),
  reason: text("Why it is not removed."),
  changes: z.looseObject(WorktreeChanges.shape).nullable().describe("What was done there; null when git does not say."),
  torn_down: flag("Whether its tear-down commands were run."),
  ts,
});
export type WorkerKept = z.infer<typeof WorkerKept>;

export const WORKTREE_EVENTS = [
  bareEvent({
    address: "system.worker.cleared",
    name: "system-worker-cleared-v1",
    schema: WorkerCleared,
    summary: "The worktree of a worker that has ended held no work, and was removed.",
  }),
  bareEvent({
    address: "system.worker.kept",
    name: "system-worker-kept-v1",
    schema: WorkerKept,
    summary: "The worktree of a worker that has ended holds work, and stays.",
  }),
] as const;
