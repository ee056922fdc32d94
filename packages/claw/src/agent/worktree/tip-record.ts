import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { nodeFileSystem, readJsonFile, writeFileAtomically } from "../../files/index.ts";
import { OBJECT_NAME } from "./ask-repository.ts";
import type { WorkerTree } from "./worker-tree.ts";

/** claw's record of a worker's branch, kept where no command can reach the file. */
export interface TipRecord {
  /** Commit of the worktree when the private folder was made. Every commit of the worker follows this commit. */
  readonly base: string;
  /** The last commit that claw took from the private folder, or gave to it. */
  readonly tip: string;
  /** The commit to which the branch is being moved. After a kill the branch may be at `tip` or at `moving`. */
  readonly moving: string | null;
}

const recordOf = ({ place }: WorkerTree): string => join(place, "tip.json");

/** The record; null without a valid record. */
export function readTipRecord(tree: WorkerTree): TipRecord | null {
  const { base = "", tip = "", moving = null } = readJsonFile<TipRecord>(recordOf(tree), LIMITS.settingsBytes) ?? {};
  const isWhole = [base, tip, moving ?? base].every((name) => OBJECT_NAME.test(name));
  return isWhole ? { base, tip, moving } : null;
}

export function writeTipRecord(tree: WorkerTree, record: TipRecord): void {
  writeFileAtomically(nodeFileSystem, recordOf(tree), JSON.stringify(record));
}
