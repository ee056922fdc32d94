import { constants } from "node:fs";
import { join } from "node:path";
import { LF } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { errnoOf, isForeign, withFileErrors } from "../../../files/index.ts";
import type { BackupSource } from "../archive/write-archive.ts";

const CHUNK_BYTES = 256 * 1024;

/** Where the last whole line of a file ends, among its first `size` bytes. */
function lastLineEnd(fs: FileSystem, fd: number, size: number): number {
  const piece = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let end = size; end > 0;) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const read = fs.readSync(fd, piece, 0, end - from, from);
    const at = piece.subarray(0, read).lastIndexOf(LF);
    if (at !== -1) return from + at + 1;
    end = from;
  }
  return 0;
}

/** A reader of a file that leaves the place in the file to the caller of the system: the file may grow meanwhile. */
function readerOf(fs: FileSystem, fd: number): () => Buffer {
  let at = 0;
  return () => {
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = fs.readSync(fd, bytes, 0, CHUNK_BYTES, at);
    at += read;
    return bytes.subarray(0, read);
  };
}

const SEQUENCE_BYTES = 40;

/** The sequence at the end of a line of the log; undefined when no such line ends there. */
function sequenceBefore(fs: FileSystem, fd: number, end: number): number | undefined {
  const piece = Buffer.alloc(Math.min(SEQUENCE_BYTES, end));
  fs.readSync(fd, piece, 0, piece.length, end - piece.length);
  const [, digits] = /"sequence":(\d{1,16})\}\n$/.exec(piece.toString("latin1")) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export interface SourceOptions {
  readonly fs: FileSystem;
  readonly cwd: string;
  /** Whether a process may be writing the last line. */
  readonly wholeLines: boolean;
}

/**
 * Opens a file as it is now: what is appended later is no part of it. Undefined for a file that is gone, a link, a
 * special file, and a file of another user.
 */
export function openSource(path: string, { fs, cwd, wholeLines }: SourceOptions): BackupSource | undefined {
  const full = join(cwd, path);
  return withFileErrors("read", full, () => {
    let fd: number;
    try {
      fd = fs.openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (["ENOENT", "ELOOP", "ENXIO"].includes(errnoOf(error) ?? "")) return undefined;
      throw error;
    }
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || isForeign(stats)) {
      fs.closeSync(fd);
      return undefined;
    }
    const size = wholeLines ? lastLineEnd(fs, fd, stats.size) : stats.size;
    const read = readerOf(fs, fd);
    return {
      path,
      size,
      read: () => withFileErrors("read", full, read),
      lastSequence: () => sequenceBefore(fs, fd, size),
      close: () => fs.closeSync(fd),
    };
  });
}
