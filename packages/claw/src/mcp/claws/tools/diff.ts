import { createHash } from "node:crypto";
import { ClawError } from "claw-contract";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

/** Characters of a diff, and files, in one answer. */
const PART_CHARS = 20_000;
const MAX_FILES = 300;

const HASH_CHARS = 12;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);

/** Where a part begins: `<offset>.<hash>`. The hash is of the whole diff, so that parts of two states never mix. */
function startOf(cursor: string | undefined, hash: string): number {
  if (cursor === undefined) return 0;
  const [offset = "", of] = cursor.split(".");
  if (of === hash && /^\d+$/.test(offset)) return Number(offset);
  throw new ClawError("INVALID_CURSOR", "the worktree has changed, or the cursor is not of this diff", {
    operation: "read_diff",
    target: cursor.slice(0, 100),
    hint: "Call again without the cursor.",
  });
}

/** A part that ends at the end of a line, unless one line is longer than a part. */
function partFrom(patch: string, start: number): string {
  const part = patch.slice(start, start + PART_CHARS);
  if (start + PART_CHARS >= patch.length) return part;
  const end = part.lastIndexOf("\n");
  return end > 0 ? part.slice(0, end + 1) : part;
}

export const handleDiff: ToolHandler<"claws_diff"> = async ({ worker, stat, cursor }, { ports }) => {
  const { data } = await callVerb("diff", { worker, stat }, ports);
  const patch = data.patch ?? "";
  const hash = hashOf(patch);
  const start = startOf(cursor, hash);
  const diff = partFrom(patch, start);
  const next = start + diff.length;
  const { uncommitted, commits, problem, patch_cut } = data;
  const facts = {
    commits: commits.length,
    uncommitted: uncommitted.length,
    path: data.worktree.path,
    files_total: data.files.length,
    ...(problem === null ? {} : { problem }),
    ...(patch_cut ? { cut: true } : {}),
  };
  return {
    data: {
      worker: data.name,
      branch: data.worktree.branch,
      files: data.files.slice(0, MAX_FILES),
      diff,
      ...facts,
      ...(next < patch.length ? { cursor: `${next}.${hash}` } : {}),
    },
  };
};
