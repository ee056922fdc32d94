import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "@claw/contract";
import { errnoOf } from "../../files/index.ts";

/** One folder of a tree and what stands in it; links are not followed. */
export interface ScannedFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
}

/** Folders that are not searched: git's own is guarded as a whole, and the daemon's is not shown to commands. */
const CLOSED = new Set([".git", ".claws"]);

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    // A folder that went away, or that not even its owner may look into: git cannot either.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

/** Looks at the folders of a tree, the nearest first. Says whether all of it was seen: it stops at a limit of names. */
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
