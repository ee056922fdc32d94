import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { listSegments } from "./segment-files.ts";

/** Remembers, for a workspace, the epoch of its log. */
export interface Epochs {
  /** Epoch of the workspace's last log; 0 when there was none. */
  last(): number;
  /** The highest epoch that cursors of the workspace's clients may have; that of the last log when absent. */
  highest?(): number;
  /** Remembers the epoch of the workspace's log from now on. */
  keep(epoch: number): void;
}

/** For a workspace without a memory of epochs. */
const NO_EPOCHS: Epochs = { last: () => 0, keep: () => undefined };

const EPOCH_DIGITS = 4;

function readEpoch(path: string): number | undefined {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  const [, digits] = file.kind === "text" ? (/"epoch" *: *"(\d{4})"/.exec(file.text) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Makes the folder of a log and determines the log's epoch. Without a stored epoch, a log with events keeps the
 * workspace's last epoch, and an empty log gets an epoch that no cursor has.
 */
export function openEpoch(fs: FileSystem, directory: string, epochs: Epochs = NO_EPOCHS): string {
  return withFileErrors("open", directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const path = join(directory, "meta.json");
    const stored = readEpoch(path);
    const isNew = listSegments(fs, directory).length === 0;
    const next = (epochs.highest?.() ?? epochs.last()) + 1;
    const epoch = stored ?? (isNew ? next : Math.max(1, epochs.last()));
    const text = String(epoch).padStart(EPOCH_DIGITS, "0");
    if (stored === undefined) writeFileAtomically(fs, path, `${JSON.stringify({ version: 1, epoch: text })}\n`);
    epochs.keep(epoch);
    return text;
  });
}
