import { constants } from "node:fs";
import type { FileSystem } from "../../files/index.ts";
import { createAtomicFile, errnoOf, fileError, unlessRefused } from "../../files/index.ts";
import type { SnapshotBytes } from "./snapshot-bytes.ts";
import type { Snapshot } from "./snapshot-store.ts";
import type { SnapshotReading } from "./snapshot-text.ts";
import { printSnapshot, readSnapshot } from "./snapshot-text.ts";

/** A larger snapshot is not read. */
const SNAPSHOT_BYTES = 1024 * 1024 * 1024;

const ENDING = ".snapshot";
const DIGITS = 12;

/** The name of a snapshot's file; names sort by sequence. */
export const snapshotName = (sequence: number): string => `${String(sequence).padStart(DIGITS, "0")}${ENDING}`;

/** The sequence that a file's name promises; undefined for a file that is no snapshot. */
export function sequenceOf(name: string): number | undefined {
  const [, digits] = /^(\d{12,15})\.snapshot$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Read at once. Larger pieces take more memory and are not read sooner (bench growth, "memory after a start"). */
const PIECE_BYTES = 64 * 1024;

const openFile = (fs: FileSystem, path: string): number =>
  fs.openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);

/** The pieces of a file, in one buffer. The file is open as long as they are read. */
function* piecesOf(fs: FileSystem, path: string, [from, to]: readonly [number, number]): Generator<Buffer> {
  const fd = openFile(fs, path);
  try {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - from));
    for (let at = from, size = -1; at < to && size !== 0; at += size) {
      size = fs.readSync(fd, piece, 0, Math.min(piece.length, to - at), at);
      yield piece.subarray(0, size);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** The bytes of a snapshot's file, or why they are not read. */
function bytesIn(fs: FileSystem, path: string): SnapshotBytes | string {
  const fd = openFile(fs, path);
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) return "it is no regular file";
    if (stats.size > SNAPSHOT_BYTES) return `it is larger than ${SNAPSHOT_BYTES} bytes`;
    return { size: stats.size, pieces: (from, to) => piecesOf(fs, path, [from, to]) };
  } finally {
    fs.closeSync(fd);
  }
}

/** The ids are read when they are asked for. A disk that refuses then stops the start: the ids are not elsewhere. */
function* withFileError(path: string, events: Snapshot["events"]): Generator<Uint8Array> {
  try {
    yield* events;
  } catch (error) {
    throw fileError(error, "read", path);
  }
}

/** Reads a snapshot's file. Never throws; its ids throw a file error when the disk refuses to give them. */
export function readSnapshotFile(fs: FileSystem, path: string): SnapshotReading {
  try {
    const bytes = bytesIn(fs, path);
    if (typeof bytes === "string") return { kind: "unusable", why: bytes };
    const reading = readSnapshot(bytes);
    if (reading.kind === "unusable") return reading;
    const { snapshot } = reading;
    return { kind: "snapshot", snapshot: { ...snapshot, events: withFileError(path, snapshot.events) } };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return { kind: "unusable", why: `it cannot be read (${errno})` };
  }
}

/** Removes a file that is no longer needed. A file that cannot be removed does no harm. */
export function dropFile(fs: FileSystem, path: string): void {
  unlessRefused(() => fs.unlinkSync(path));
}

/** Other work gets its turn between two pieces, and the process does not block on the flush to disk. */
export async function writeSnapshot(fs: FileSystem, path: string, snapshot: Snapshot): Promise<void> {
  const file = createAtomicFile(fs, path);
  try {
    for (const piece of printSnapshot(snapshot)) {
      file.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await file.flush();
    file.commit();
  } finally {
    file.discard();
  }
}
