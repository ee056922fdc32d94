import type { WorktreeChanges } from "claw-contract/schemas";
import { plural } from "../../text/text-layout.ts";

/** Describes the changes in a worktree in one line; null when there are none. */
export function changesText(changes: WorktreeChanges, branch: string): string | null {
  const { files, insertions, deletions, commits, uncommitted } = changes;
  const parts = [
    ...(files === 0 ? [] : [`${plural(files, "file")} (+${insertions} -${deletions})`]),
    ...(commits === 0 ? [] : [`${plural(commits, "commit")} on ${branch}`]),
    ...(uncommitted === 0 ? [] : [`${plural(uncommitted, "file")} not committed`]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** Describes the changes that an ended worker left; null when there are none. */
export function leftText(
  changes: WorktreeChanges | null,
  worktree: Readonly<Record<string, unknown>> | null,
): string | null {
  const branch = worktree?.["branch"];
  return changes === null || typeof branch !== "string" ? null : changesText(changes, branch);
}
