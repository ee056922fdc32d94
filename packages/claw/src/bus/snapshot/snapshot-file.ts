import { constants } from "node:fs";
import type { FileSystem } from "../../files/index.ts";
import { createAtomicFile, errnoOf, unlessRefused } from "../../files/index.ts";
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

function readWhole(fs: FileSystem, path: string): Buffer | string {
  const fd = fs.openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) return "it is no regular file";
    if (stats.size > SNAPSHOT_BYTES) return `it is larger than ${SNAPSHOT_BYTES} bytes`;
    const bytes = Buffer.allocUnsafe(stats.size);
    let size = 0;
    for (let more = -1; more !== 0 && size < bytes.length; size += more) {
      more = fs.readSync(fd, bytes, size, bytes.length - size, size);
    }
    return bytes.subarray(0, size);
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads a snapshot's file. Never throws. */
export function readSnapshotFile(fs: FileSystem, path: string): SnapshotReading {
  try {
    const bytes = readWhole(fs, path);
    return typeof bytes === "string" ? { kind: "unusable", why: bytes } : readSnapshot(bytes);
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
