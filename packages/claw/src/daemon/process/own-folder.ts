import { lstatSync, mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClawError } from "claw-contract";
import {
  errnoOf,
  hideFromGit,
  PRIVATE_FOLDER,
  requireOwn,
  withFileErrors,
  unlessRefused,
  fileModes,
} from "../../files/index.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

const OTHERS = 0o077;

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/** Makes a private folder, or takes an existing folder of this user and makes it private. */
function ownFolder(path: string): void {
  makeFolder(path);
  const stats = lstatSync(path);
  requireOwn(path, stats, "folder");
  if ((stats.mode & (OTHERS | PRIVATE_FOLDER)) !== PRIVATE_FOLDER) {
    fileModes.setMode(path, PRIVATE_FOLDER);
  }
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
 * Removes the secrets that older versions kept in the workspace. Agents' tools could read these files, so the secrets
 * are not used any more. Returns the paths of the removed files.
 */
export function removeExposed({ exposed }: WorkspaceFiles): readonly string[] {
  return exposed.filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return false;
    withFileErrors("remove", path, () => unlinkSync(path));
    return true;
  });
}

/**
 * Makes the folder of a workspace and the folders inside. Takes existing folders and files when they belong to this
 * user and are no links; otherwise throws.
 */
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

/** Whether no other user can read the file. Other users may know a secret that was readable for them. */
export function isPrivate(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & OTHERS) === 0;
}

/** Whether this user owns a folder and a regular file inside, and neither is a link. Never throws. */
export function isOwnFile(folder: string, path: string): boolean {
  return unlessRefused(() => {
    requireOwn(folder, lstatSync(folder), "folder");
    requireOwn(path, lstatSync(path), "file");
    return true;
  }, false);
}
