import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { unlessRefused } from "../../files/index.ts";

/** One folder of a tree with its entries; links are not followed. */
export interface ScannedFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
}

/** Folders that are not searched: git's own is guarded as a whole, and the daemon's is not shown to commands. */
const CLOSED = new Set([".git", ".claws"]);

function listFolder(path: string): Dirent[] {
  // The folder is gone, or not even its owner may read it; git cannot read it either.
  return unlessRefused(() => readdirSync(path, { withFileTypes: true }), []);
}

/**
 * Calls `look` for each folder of a tree, the nearest first. Returns false when the search stopped at `limit` names.
 */
export function scanTree(
  root: string,
  look: (folder: ScannedFolder) => void,
  limit: number = LIMITS.sandboxScanEntries,
): boolean {
  const folders = [root];
  let seen = 0;
  for (let path = folders[0], next = 1; path !== undefined; path = folders[next], next += 1) {
    const entries = listFolder(path);
    seen += entries.length;
    if (seen > limit) return false;
    look({ path, entries });
    const below = entries.filter((entry) => entry.isDirectory() && !CLOSED.has(entry.name));
    for (const { name } of below) folders.push(join(path, name));
  }
  return true;
}
