import type { WorktreeChanges } from "../events/families/worktree.ts";
import { amountIn } from "./worker-fact.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";

/** What a worker's report says of its worktree; null when the worker has none, or git did not say. */
export function worktreeChangesIn({ diff, commits, uncommitted }: JsonObject): WorktreeChanges | null {
  if (!isObject(diff) || !Array.isArray(commits)) return null;
  return {
    files: amountIn(diff["files"]) ?? 0,
    insertions: amountIn(diff["insertions"]) ?? 0,
    deletions: amountIn(diff["deletions"]) ?? 0,
    commits: commits.length,
    uncommitted: amountIn(uncommitted) ?? 0,
  };
}
