import type { Stats } from "node:fs";
import { appendFileSync, closeSync, constants, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf, withFileErrors } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { nodeFileSystem } from "./file-system.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, createAtomicFile } from "./write-file.ts";

const CHUNK_BYTES = 64 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Puts a copy of a file in its place, which only this path names. */
function replaceByCopy(fs: FileSystem, path: string, mode: number): void {
  const source = fs.openSync(path, READ);
  try {
    const copy = createAtomicFile(fs, path, mode);
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let size: number;
      for (let at = 0; (size = fs.readSync(source, chunk, 0, chunk.length, at)) > 0; at += size) {
        copy.write(chunk.subarray(0, size));
      }
      copy.commit();
    } finally {
      copy.discard();
    }
  } finally {
    fs.closeSync(source);
  }
}

/**
 * Opens a file that is written in place. A file with a second hard link is replaced by a copy first, so that what is
 * written does not appear under the other name, which may lie anywhere. Throws the error of the system; the caller
 * closes what is opened.
 */
export function openUnshared(fs: FileSystem, path: string, flags: number, mode: number = PRIVATE_FILE): number {
  const fd = fs.openSync(path, flags, mode);
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || stats.nlink <= 1) return fd;
    replaceByCopy(fs, path, mode);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  fs.closeSync(fd);
  return fs.openSync(path, flags, mode);
}

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** The user of this process; undefined where the system has no user ids. */
const userId = (): number | undefined => process.getuid?.();

export const isForeign = ({ uid }: Stats): boolean => userId() !== undefined && uid !== userId();

function placeError(code: "FILESYSTEM_ERROR" | "FILE_ACCESS_DENIED", path: string, why: string): ClawError {
  const hint = "Look at what it is and who made it; move it away, then call again.";
  return new ClawError(code, `${path} ${why}`, { operation: "open", target: path, hint });
}

/**
 * Throws for a path that is a symbolic link, belongs to another user, or is not of the wanted kind. A link can lead our
 * files to any place its maker chose, and another user can change files of their account. A foreign project's working
 * copy, or a folder that many users can write to, may hold both.
 */
export function requireOwn(path: string, stats: Stats, wanted: "file" | "folder"): void {
  if (stats.isSymbolicLink()) throw placeError("FILESYSTEM_ERROR", path, "is a symbolic link");
  if (isForeign(stats)) throw placeError("FILE_ACCESS_DENIED", path, "belongs to another user");
  const fits = wanted === "file" ? stats.isFile() : stats.isDirectory();
  if (!fits) throw placeError("FILESYSTEM_ERROR", path, `is no ${wanted === "file" ? "regular file" : "folder"}`);
}

/** The folder of a workspace in which sessions, settings, history and outputs are. */
export const CLAW_FOLDER = ".claw";

/**
 * A folder in `.claw` of a workspace. Throws as `requireOwn` does for this folder and for `.claw`, if they exist.
 * Creates no folder.
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
 * Creates a private folder inside one of ours, or uses the existing one. Throws FILESYSTEM_ERROR for a link: a link in
 * a foreign workspace would lead our files to any place its maker chose.
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
 * Keeps a folder of claw, with its content, out of the surrounding git repository. An existing `.gitignore` belongs to
 * the user and stays. Nothing is written through a link. Throws a file error.
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
 * Opens a private file to append to; creates a missing file. A file with a second hard link is first replaced by a
 * copy. Throws a file error for a symbolic link.
 */
export const openToAppend = (path: string): number =>
  withFileErrors("open", path, () => openUnshared(nodeFileSystem, path, APPEND));

/** Appends text to a private file, opened as in `openToAppend`. */
export function appendToOwn(path: string, text: string): void {
  const fd = openToAppend(path);
  try {
    withFileErrors("save", path, () => appendFileSync(fd, text));
  } finally {
    closeSync(fd);
  }
}
