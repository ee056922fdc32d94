import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ClawError } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import {
  errnoOf,
  fileError,
  isForeign,
  openUnshared,
  PRIVATE_FILE,
  withFileErrors,
  unlessRefused,
} from "../files/index.ts";
import { isSessionId, SESSION_SUFFIX } from "./session-ref.ts";

export interface SessionEntry {
  readonly id: string;
  readonly path: string;
  readonly modifiedMs: number;
  readonly size: number;
}

export interface SessionListing {
  /** Newest first; of the same moment, by id. */
  readonly entries: readonly SessionEntry[];
  /** Names in the folder that look like sessions and are none. */
  readonly ignored: readonly string[];
}

export const sessionPath = (directory: string, id: string): string => join(directory, `${id}${SESSION_SUFFIX}`);

const entryOf = (id: string, path: string, stats: Stats): SessionEntry => ({
  id,
  path,
  modifiedMs: Math.round(stats.mtimeMs),
  size: stats.size,
});

/** Every session of a folder by name, size and time. Reads no session. A folder that is not there is empty. */
export function listSessionFiles(fs: FileSystem, directory: string): SessionListing {
  const entries: SessionEntry[] = [];
  const ignored: string[] = [];
  for (const name of readNames(fs, directory)) {
    if (!name.endsWith(SESSION_SUFFIX)) continue;
    const id = name.slice(0, -SESSION_SUFFIX.length);
    const path = `${directory}/${name}`;
    const stats = withFileErrors("look at", path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (stats === undefined) continue;
    if (stats.isFile() && !isForeign(stats) && isSessionId(id)) entries.push(entryOf(id, path, stats));
    else ignored.push(name);
  }
  entries.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? 1 : -1));
  return { entries, ignored };
}

function readNames(fs: FileSystem, directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw fileError(error, "list", directory);
  }
}

export function sessionNotFound(id: string, directory: string): ClawError {
  const folder = `${basename(dirname(directory))}/${basename(directory)}/`;
  return new ClawError("SESSION_NOT_FOUND", `session '${id}' not found in ${folder}`, {
    operation: "resolve_session",
    target: id,
    details: { sessions_dir: directory },
  });
}

/** Refuses what is there but is no session file. */
function requireFile(stats: Stats, id: string, path: string): void {
  if (stats.isFile() && !isForeign(stats)) return;
  if (stats.isDirectory()) {
    throw new ClawError("SESSION_PATH_IS_DIRECTORY", `session '${id}' is a folder`, {
      operation: "open",
      target: path,
    });
  }
  const other = stats.isSymbolicLink() ? "is a symbolic link" : "is no regular file";
  const what = stats.isFile() ? "belongs to another user" : other;
  throw new ClawError("SESSION_UNREADABLE", `session '${id}' ${what}`, { operation: "open", target: path });
}

/** Finds one session. Throws SESSION_NOT_FOUND, or what is wrong with what stands there. */
export function findSessionFile(fs: FileSystem, directory: string, id: string): SessionEntry {
  const path = sessionPath(directory, id);
  const stats = withFileErrors("open", path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) throw sessionNotFound(id, directory);
  requireFile(stats, id, path);
  return entryOf(id, path, stats);
}

const WRITES = constants.O_WRONLY | constants.O_RDWR;

/**
 * Opens a session file without following links. A file with a second hard link is replaced by a copy before it is
 * written. The caller closes the descriptor.
 */
export function openSessionFile(fs: FileSystem, path: string, flags: number): number {
  const all = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return (flags & WRITES) === 0 ? fs.openSync(path, all, PRIVATE_FILE) : openUnshared(fs, path, all);
  } catch (error) {
    const vanished = errnoOf(error) === "ENOENT" && (flags & constants.O_CREAT) === 0;
    throw vanished ? sessionNotFound(basename(path, SESSION_SUFFIX), dirname(path)) : fileError(error, "open", path);
  }
}

/** Opens a session file, calls `run` with the descriptor and closes the file. */
export function withSessionFile<T>(fs: FileSystem, path: string, flags: number, run: (fd: number) => T): T {
  const fd = openSessionFile(fs, path, flags);
  try {
    return run(fd);
  } finally {
    closeQuietly(fs, fd);
  }
}

/** Closes a file whose content is already safe or already lost; an error while closing changes neither. */
export function closeQuietly(fs: FileSystem, fd: number): void {
  unlessRefused(() => fs.closeSync(fd));
}
