import { join } from "node:path";
import { LIMITS } from "@claw/contract";
import { nodeFileSystem, readSmallFile, writeFileAtomically } from "../../files/index.ts";
import { OBJECT_NAME } from "./ask-repository.ts";
import type { WorkerTree } from "./worker-tree.ts";

/** What claw knows of a worker's branch, kept where no command reaches it. */
export interface TipRecord {
  /** The commit at which the worktree was when its private folder was made. Every commit of the worker follows it. */
  readonly base: string;
  /** The last commit that claw took from the private folder, or gave to it. */
  readonly tip: string;
  /** The commit to which the branch is being moved; after a kill the branch may be at either. */
  readonly moving: string | null;
}

const recordOf = ({ place }: WorkerTree): string => join(place, "tip.json");

/** The record; null when there is none, or none that makes sense. */
export function readTipRecord(tree: WorkerTree): TipRecord | null {
  const file = readSmallFile(recordOf(tree), LIMITS.settingsBytes);
  if (file.kind !== "text") return null;
  try {
    const { base, tip, moving } = JSON.parse(file.text) as TipRecord;
    const isWhole = [base, tip, moving ?? base].every((name) => OBJECT_NAME.test(name));
    return isWhole ? { base, tip, moving } : null;
  } catch {
    // It was written by something else.
    return null;
  }
}

export function writeTipRecord(tree: WorkerTree, record: TipRecord): void {
  writeFileAtomically(nodeFileSystem, recordOf(tree), JSON.stringify(record));
}
