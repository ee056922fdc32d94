import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf, fileError } from "../../../files/index.ts";
import { descriptorPlace } from "./descriptor-place.ts";

/** Opens a folder without the right to read it. Node does not name this flag of Linux. */
const O_PATH = 0o10000000;

/** The flag is of the system that also names open files. */
const lookFlag = (): number => (descriptorPlace(0) === null ? constants.O_RDONLY : O_PATH);

function swapped(path: string): ClawError {
  return new ClawError("PERMISSION_DENIED", `${path} was replaced after its permission was checked`, {
    operation: "open",
    target: path,
  });
}

/** Whether the open file is the file at `path`, with no link on the way. */
function isAt(fd: number, path: string): boolean {
  const place = descriptorPlace(fd);
  return (place === null ? realpathSync(path) : readlinkSync(place)) === path;
}

/**
 * Opens a path that was free of links when it was judged. Throws ClawError when the path cannot be opened, or when a
 * link stands on the way by now. The caller closes the descriptor.
 */
export function openJudged(path: string, flags: number): number {
  let fd: number;
  try {
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ELOOP") throw swapped(path);
    throw fileError(error, "open", path);
  }
  if (isAt(fd, path)) return fd;
  closeSync(fd);
  throw swapped(path);
}

/** Opens a regular file that is free of links, for reading. */
export function openJudgedFile(path: string): { readonly fd: number; readonly size: number } {
  const fd = openJudged(path, constants.O_RDONLY);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, size: stats.size };
  closeSync(fd);
  const what = stats.isDirectory() ? "is a folder" : "is no regular file";
  throw new ClawError("FILESYSTEM_ERROR", `${path} ${what}`, { operation: "open", target: path });
}

/**
 * The stats of the entry at a path that was free of links when it was judged. Throws ClawError when there is no entry,
 * or a link on the way.
 */
export function statJudged(path: string): Stats {
  const fd = openJudged(path, lookFlag());
  try {
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * A name with which a child process opens the file behind `fd`, even when the path leads elsewhere meanwhile. Where the
 * system has no names for open files, the name is the path itself.
 */
export const nameForChild = (fd: number, path: string): string => descriptorPlace(fd, process.pid) ?? path;

function openFolder(folder: string): number {
  const flags = constants.O_DIRECTORY | lookFlag();
  try {
    return openJudged(folder, flags);
  } catch (error) {
    const isAbsent = error instanceof ClawError && error.options.details?.["errno"] === "ENOENT";
    if (!isAbsent || folder === dirname(folder)) throw error;
  }
  withJudgedFolder(dirname(folder), (place) => {
    try {
      mkdirSync(join(place, basename(folder)));
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw fileError(error, "create", folder);
    }
  });
  return openJudged(folder, flags);
}

/**
 * Calls `run` with a name for a folder that stays valid when entries are moved or linked meanwhile. Makes the folder
 * and its parents when they are missing. Throws ClawError when a link stands on the way.
 */
export function withJudgedFolder<T>(folder: string, run: (place: string) => T): T {
  const fd = openFolder(folder);
  try {
    return run(descriptorPlace(fd) ?? folder);
  } finally {
    closeSync(fd);
  }
}
