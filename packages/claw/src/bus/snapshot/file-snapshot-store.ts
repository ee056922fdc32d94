import { constants } from "node:fs";
import { basename, join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import {
  createAtomicFile,
  errnoOf,
  fileError,
  PRIVATE_FOLDER,
  withFileErrors,
  unlessRefused,
} from "../../files/index.ts";
import type { Snapshot, LogPlace, SnapshotStore } from "./snapshot-store.ts";
import type { SnapshotReading } from "./snapshot-text.ts";
import { printSnapshot, readSnapshot } from "./snapshot-text.ts";

/** A larger snapshot is not read. */
const SNAPSHOT_BYTES = 1024 * 1024 * 1024;

const ENDING = ".snapshot";
const DIGITS = 12;

const fileName = (sequence: number): string => `${String(sequence).padStart(DIGITS, "0")}${ENDING}`;

/** The sequence that a file's name promises; undefined for a file that is no snapshot. */
function sequenceOf(name: string): number | undefined {
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

function readFile(fs: FileSystem, path: string): SnapshotReading {
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
function removeFile(fs: FileSystem, path: string): void {
  unlessRefused(() => fs.unlinkSync(path));
}

/** Reads a snapshot and checks that it belongs to the log. A snapshot beyond the log's head is removed for good. */
function consider(fs: FileSystem, path: string, { head, epoch }: LogPlace): SnapshotReading {
  const sequence = sequenceOf(basename(path)) ?? 0;
  if (sequence > head) {
    removeFile(fs, path);
    return { kind: "unusable", why: "it lies beyond the head of the log" };
  }
  const reading = readFile(fs, path);
  if (reading.kind === "unusable") return reading;
  if (reading.snapshot.sequence !== sequence) return { kind: "unusable", why: "it belongs to another sequence" };
  return reading.snapshot.epoch === epoch ? reading : { kind: "unusable", why: "it is of another log" };
}

/** Other work gets its turn between two pieces, and the process does not block on the flush to disk. */
async function writeSnapshot(fs: FileSystem, path: string, snapshot: Snapshot): Promise<void> {
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

/** One file for each snapshot, named by its sequence, replaced by renaming. Only one process may use a folder. */
export function openSnapshotStore(fs: FileSystem, directory: string): SnapshotStore {
  const names = (): string[] => fs.readdirSync(directory).filter((name) => sequenceOf(name) !== undefined);
  withFileErrors("open", directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    // Temporary files of a process that died while writing.
    for (const name of fs.readdirSync(directory)) if (name.endsWith(".tmp")) removeFile(fs, join(directory, name));
  });
  let previous: string | undefined;
  return {
    load: (place, report) => {
      for (const name of names().toSorted().toReversed()) {
        const reading = consider(fs, join(directory, name), place);
        if (reading.kind === "unusable") {
          report(`snapshot ${name} is not used: ${reading.why}`);
          continue;
        }
        previous ??= name;
        return reading.snapshot;
      }
      return undefined;
    },
    save: async (snapshot) => {
      const name = fileName(snapshot.sequence);
      try {
        await writeSnapshot(fs, join(directory, name), snapshot);
        const kept = new Set([name, previous]);
        for (const other of names()) if (!kept.has(other)) removeFile(fs, join(directory, other));
      } catch (error) {
        throw fileError(error, "save", join(directory, name));
      }
      previous = name;
    },
  };
}
