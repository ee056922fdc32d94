import type { JobWorktree } from "@claw/contract";
import { treeChanges } from "../../process/index.ts";

export interface WorktreeChange {
  /** Changes against the starting commit, uncommitted changes included; null when git fails. */
  readonly diff: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** Files whose changes are not committed. */
  readonly uncommitted: number;
  /** Newest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
}

const NO_CHANGE: WorktreeChange = { diff: null, uncommitted: 0, commits: [] };

/** The changes in a worktree since the worker began. */
export async function worktreeChange({ path, base }: JobWorktree): Promise<WorktreeChange> {
  const changes = await treeChanges({ path, base });
  if (changes === null) return NO_CHANGE;
  const { files, uncommitted, commits } = changes;
  const sum = (field: "insertions" | "deletions"): number =>
    files.reduce((total, file) => total + (file[field] ?? 0), 0);
  const diff = { files: files.length, insertions: sum("insertions"), deletions: sum("deletions") };
  return { diff, uncommitted: uncommitted.length, commits };
}
