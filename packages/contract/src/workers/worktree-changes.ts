import type { WorktreeChanges } from "../events/families/worktree.ts";
import { amountIn } from "./worker-fact.ts";

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** What a worker's report says of its worktree; null when the worker has none, or git did not say. */
export function worktreeChangesIn({ diff, commits, uncommitted }: Fields): WorktreeChanges | null {
  if (!isRecord(diff) || !Array.isArray(commits)) return null;
  return {
    files: amountIn(diff["files"]) ?? 0,
    insertions: amountIn(diff["insertions"]) ?? 0,
    deletions: amountIn(diff["deletions"]) ?? 0,
    commits: commits.length,
    uncommitted: amountIn(uncommitted) ?? 0,
  };
}
