import type { Stats } from "node:fs";
import { appendFileSync, closeSync, constants, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "@claw/contract";
import { errnoOf, withFileErrors } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./file-system.ts";
import { openUnshared } from "./open-unshared.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./write-file.ts";

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** The user of this process; undefined where the system knows none. */
const userId = (): number | undefined => process.getuid?.();

export const isForeign = ({ uid }: Stats): boolean => userId() !== undefined && uid !== userId();

function refuse(code: "FILESYSTEM_ERROR" | "FILE_ACCESS_DENIED", path: string, why: string): ClawError {
  const hint = "Look at what it is and who made it; move it away, then call again.";
  return new ClawError(code, `${path} ${why}`, { operation: "open", target: path, hint });
}

/**
 * A link leads files of ours to wherever its maker likes, and what belongs to another user can be changed by him.
 * A working copy of a project from elsewhere, or a folder that many can write to, may hold both.
 */
export function requireOwn(path: string, stats: Stats, wanted: "file" | "folder"): void {
  if (stats.isSymbolicLink()) throw refuse("FILESYSTEM_ERROR", path, "is a symbolic link");
  if (isForeign(stats)) throw refuse("FILE_ACCESS_DENIED", path, "belongs to another user");
  const fits = wanted === "file" ? stats.isFile() : stats.isDirectory();
  if (!fits) throw refuse("FILESYSTEM_ERROR", path, `is no ${wanted === "file" ? "regular file" : "folder"}`);
}

/** The folder of a workspace in which sessions, settings, history and outputs are. */
export const CLAW_FOLDER = ".claw";

/**
 * A folder in `.claw` of a workspace. Throws what `requireOwn` throws for it and for `.claw`, as far as they are there.
 * Makes nothing.
 */
export function clawFolder(cwd: string, name: string, fs: Pick<FileSystem, "lstatSync"> = nodeFileSystem): string {
  const outer = join(cwd, CLAW_FOLDER);
  for (const path of new Set([outer, join(outer, name)])) {
    const stats = withFileErrors("open", path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (stats !== undefined) requireOwn(path, stats, "folder");
  }
  return join(outer, name);
}

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
