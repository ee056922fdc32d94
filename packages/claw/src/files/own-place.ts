import { appendFileSync, closeSync, constants, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "@claw/contract";
import { errnoOf, withFileErrors } from "./file-error.ts";
import { nodeFileSystem } from "./file-system.ts";
import { openUnshared } from "./open-unshared.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./write-file.ts";

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Makes a private folder in one of ours, or takes the one that is there. Throws FILESYSTEM_ERROR for a link: what came
 * with a workspace from elsewhere would lead our files to wherever its maker likes.
 */
export function openOwnFolder(path: string): void {
  withFileErrors("open", path, () => {
    mkdirSync(path, { mode: PRIVATE_FOLDER, recursive: true });
    if (lstatSync(path).isDirectory()) return;
    const hint = "Look at what it is and who made it; move it away, then call again.";
    throw new ClawError("FILESYSTEM_ERROR", `${path} is no folder`, { operation: "open", target: path, hint });
  });
}

/**
 * Keeps a folder of ours, and all that is in it, out of the repository it lies in. A `.gitignore` that is there is the
 * user's and stays; where a link leads, nothing is written. Throws a file error.
 */
export function hideFromGit(folder: string): void {
  const path = join(folder, ".gitignore");
  withFileErrors("save", path, () => {
    try {
      writeFileSync(path, "*\n", { mode: PRIVATE_FILE, flag: "wx" });
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  });
}

/**
 * A descriptor to add to a private file, made when it is not there. A file with a second hard link is replaced by a copy
 * first. Throws a file error for a link.
 */
export const openToAppend = (path: string): number =>
  withFileErrors("open", path, () => openUnshared(nodeFileSystem, path, APPEND));

/** Adds text to a private file, as above. */
export function appendToOwn(path: string, text: string): void {
  const fd = openToAppend(path);
  try {
    withFileErrors("save", path, () => appendFileSync(fd, text));
  } finally {
    closeSync(fd);
  }
}
