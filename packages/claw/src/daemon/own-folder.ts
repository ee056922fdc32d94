import type { Stats } from "node:fs";
import { chmodSync, lstatSync, mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClawError } from "@claw/contract";
import { errnoOf, hideFromGit, PRIVATE_FOLDER, withFileErrors } from "../files/index.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The user of this process; undefined where the system knows none. */
const userId = (): number | undefined => process.getuid?.();

const isForeign = ({ uid }: Stats): boolean => userId() !== undefined && uid !== userId();

const OTHERS = 0o077;

function refuse(code: "FILESYSTEM_ERROR" | "FILE_ACCESS_DENIED", path: string, why: string): ClawError {
  const hint = "Look at what it is and who made it; move it away, then call again.";
  return new ClawError(code, `${path} ${why}`, { operation: "open", target: path, hint });
}

/**
 * A link leads files of ours to wherever its maker likes, and what belongs to another user can be changed by him.
 * A working copy of a project from elsewhere, or a folder that many can write to, may hold both.
 */
function requireOwn(path: string, stats: Stats, wanted: "file" | "folder"): void {
  if (stats.isSymbolicLink()) throw refuse("FILESYSTEM_ERROR", path, "is a symbolic link");
  if (isForeign(stats)) throw refuse("FILE_ACCESS_DENIED", path, "belongs to another user");
  const fits = wanted === "file" ? stats.isFile() : stats.isDirectory();
  if (!fits) throw refuse("FILESYSTEM_ERROR", path, `is no ${wanted === "file" ? "regular file" : "folder"}`);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/** A folder that is ours, there and private afterwards. */
function ownFolder(path: string): void {
  makeFolder(path);
  const stats = lstatSync(path);
  requireOwn(path, stats, "folder");
  if ((stats.mode & OTHERS) !== 0 || (stats.mode & PRIVATE_FOLDER) !== PRIVATE_FOLDER) chmodSync(path, PRIVATE_FOLDER);
}

function checkFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) requireOwn(path, stats, "file");
}

/** Makes the private folder for a workspace's secrets. Throws FILE_ACCESS_DENIED or FILESYSTEM_ERROR. */
function openSecretsFolder({ secretsHome, secrets }: WorkspaceFiles): void {
  try {
    withFileErrors("open", secrets, () => {
      mkdirSync(dirname(secretsHome), { recursive: true, mode: PRIVATE_FOLDER });
      for (const folder of [secretsHome, secrets]) ownFolder(folder);
    });
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    const hint = "claw keeps its secrets there; set XDG_STATE_HOME to a folder of yours that can be written.";
    throw new ClawError(error.code, error.message, { ...error.options, hint: error.options.hint ?? hint });
  }
}

/**
 * Removes the secrets that older versions kept in the workspace. Agents' tools could read them, so they are not used
 * any more. Returns those that were there.
 */
export function removeExposed({ exposed }: WorkspaceFiles): readonly string[] {
  return exposed.filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return false;
    withFileErrors("remove", path, () => unlinkSync(path));
    return true;
  });
}

/** Makes the folder of a workspace and those in it, or takes the ones that are there if nobody else has a hand in them. */
export function openFolder(files: WorkspaceFiles): void {
  withFileErrors("open", files.folder, () => {
    ownFolder(files.folder);
    hideFromGit(files.folder);
    openSecretsFolder(files);
    for (const folder of files.folders) {
      ownFolder(folder);
      for (const name of readdirSync(folder)) checkFile(join(folder, name));
    }
    for (const file of files.files) checkFile(file);
    const lock = lstatSync(files.lock, { throwIfNoEntry: false });
    if (lock !== undefined) requireOwn(files.lock, lock, "folder");
  });
}

/** Secrets that others could read may be known to them. */
export function isPrivate(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & OTHERS) === 0;
}

/** Whether a folder and a file in it were made by this user and are what they seem. Never throws. */
export function isOwnFile(folder: string, path: string): boolean {
  try {
    requireOwn(folder, lstatSync(folder), "folder");
    requireOwn(path, lstatSync(path), "file");
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
