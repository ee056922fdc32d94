import { lstatSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf, randomSuffix, unlessRefused, fileModes } from "../../files/index.ts";
import { openOutputsFolder } from "./outputs-folder.ts";
import type { MovedAway } from "./sandbox.ts";

/**
 * The folder for removed entries; `root` when a link stands in the folder's place. A link must not prevent a removal.
 */
function findRoom(root: string): string {
  try {
    return openOutputsFolder(root);
  } catch (error) {
    if (error instanceof ClawError) return root;
    throw error;
  }
}

/**
 * Most characters of the old path in the new name. The end of a long path tells enough, and file names have a limit.
 */
const MAX_NAME = 100;

/** Renames an entry, also out of a folder without the permission to write. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    for (const path of [from, dirname(from)]) fileModes.setMode(path, lstatSync(path).mode | 0o700);
    renameSync(from, to);
  }
}

/** Moves an entry to the folder for removed entries. An entry that cannot be moved stays; then `movedTo` is null. */
export function takeAway(path: string, root: string): MovedAway {
  const name = relative(root, path).replaceAll("/", "-").slice(-MAX_NAME);
  return unlessRefused(
    () => {
      const movedTo = join(findRoom(root), `removed-${name}-${randomSuffix()}`);
      rename(path, movedTo);
      return { path, movedTo };
    },
    { path, movedTo: null },
  );
}
