import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { createAtomicFile, errnoOf, fileError, nodeFileSystem, fileModes } from "../../../files/index.ts";
import { openJudgedFile, withJudgedFolder } from "./judged-files.ts";

const BINARY_PROBE_BYTES = 8192;
const NEW_FILE_MODE = 0o666;

function unfit(path: string, why: string): ClawError {
  return new ClawError("FILESYSTEM_ERROR", `${path} ${why}`, { operation: "read", target: path });
}

/** Reads a text file whose path is free of links. Throws ClawError for what is binary, too large or no file. */
export function readTextFile(path: string): string {
  const { fd, size } = openJudgedFile(path);
  try {
    if (size > LIMITS.toolFileBytes) throw unfit(path, `has ${size} bytes; at most ${LIMITS.toolFileBytes} are read`);
    const bytes = readFileSync(fd);
    if (bytes.length > LIMITS.toolFileBytes) throw unfit(path, "grows while it is read");
    if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) throw unfit(path, "is a binary file");
    const text = bytes.toString();
    if (!Buffer.from(text).equals(bytes)) throw unfit(path, "is no text in UTF-8");
    return text;
  } catch (error) {
    throw fileError(error, "read", path);
  } finally {
    closeSync(fd);
  }
}

/** Like `readTextFile`, but null when there is no such file yet. */
export function readTextFileIfAny(path: string): string | null {
  try {
    return readTextFile(path);
  } catch (error) {
    const errno = error instanceof ClawError ? error.options.details?.["errno"] : undefined;
    if (errno === "ENOENT" || errno === "ENOTDIR") return null;
    throw error;
  }
}

interface Owner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The mode and owner of the file that is to be replaced; null when there is none. */
function ownerOf(place: string, path: string): Owner | null {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) throw unfit(path, "is no regular file");
  return { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
}

function giveBack(place: string, owner: Owner): void {
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { uid, gid, nlink } = fstatSync(fd);
    // A file with a second name is not the one that was just written.
    if (nlink > 1) return;
    fileModes.setOwner(fd, owner, { uid, gid });
  } catch (error) {
    // Only the administrator may change the owner of a file; the text is written in any case.
    if (errnoOf(error) !== "EPERM") throw error;
  } finally {
    closeSync(fd);
  }
}

/** Writes a whole file at a path that is free of links, atomically; mode and owner stay. Throws ClawError. */
export function writeTextFile(path: string, text: string): void {
  withJudgedFolder(dirname(path), (folder) => {
    try {
      const place = join(folder, basename(path));
      const owner = ownerOf(place, path);
      const file = createAtomicFile(nodeFileSystem, place, owner?.mode ?? NEW_FILE_MODE);
      try {
        file.write(text);
        file.commit();
      } finally {
        file.discard();
      }
      if (owner !== null) giveBack(place, owner);
    } catch (error) {
      throw fileError(error, "write", path);
    }
  });
}
