import { basename, join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { fileError, PRIVATE_FOLDER, withFileErrors } from "../../files/index.ts";
import { dropFile, readSnapshotFile, sequenceOf, snapshotName, writeSnapshot } from "./snapshot-file.ts";
import type { LogPlace, SnapshotStore } from "./snapshot-store.ts";
import type { SnapshotReading } from "./snapshot-text.ts";

/** Reads a snapshot and checks that it belongs to the log. A snapshot beyond the log's head is removed for good. */
function consider(fs: FileSystem, path: string, { head, epoch }: LogPlace): SnapshotReading {
  const sequence = sequenceOf(basename(path)) ?? 0;
  if (sequence > head) {
    dropFile(fs, path);
    return { kind: "unusable", why: "it lies beyond the head of the log" };
  }
  const reading = readSnapshotFile(fs, path);
  if (reading.kind === "unusable") return reading;
  if (reading.snapshot.sequence !== sequence) return { kind: "unusable", why: "it belongs to another sequence" };
  return reading.snapshot.epoch === epoch ? reading : { kind: "unusable", why: "it is of another log" };
}

/** One file for each snapshot, named by its sequence, replaced by renaming. Only one process may use a folder. */
export function openSnapshotStore(fs: FileSystem, directory: string): SnapshotStore {
  const names = (): string[] => fs.readdirSync(directory).filter((name) => sequenceOf(name) !== undefined);
  withFileErrors("open", directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    // Temporary files of a process that died while writing.
    for (const name of fs.readdirSync(directory)) if (name.endsWith(".tmp")) dropFile(fs, join(directory, name));
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
      const name = snapshotName(snapshot.sequence);
      try {
        await writeSnapshot(fs, join(directory, name), snapshot);
        const kept = new Set([name, previous]);
        for (const other of names()) if (!kept.has(other)) dropFile(fs, join(directory, other));
      } catch (error) {
        throw fileError(error, "save", join(directory, name));
      }
      previous = name;
    },
  };
}
