import { join } from "node:path";
import { LIMITS } from "@claw/contract";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { listSegments } from "./segment-files.ts";

/** Which log this is, as its workspace remembers it. */
export interface Epochs {
  /** The last one this workspace had; 0 when it had none. */
  last(): number;
  /** Keeps the one this workspace has from now on. */
  keep(epoch: number): void;
}

/** A workspace that remembers nothing. */
const NO_EPOCHS: Epochs = { last: () => 0, keep: () => undefined };

const DIGITS = 4;

function readEpoch(path: string): number | undefined {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  const [, digits] = file.kind === "text" ? (/"epoch" *: *"(\d{4})"/.exec(file.text) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Makes the folder of a log and finds out its epoch. A log whose name is lost but whose events are there is the one
 * the workspace had last; one without events, in a workspace that had another, is a new one.
 */
export function openEpoch(fs: FileSystem, directory: string, epochs: Epochs = NO_EPOCHS): string {
  return withFileErrors("open", directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const path = join(directory, "meta.json");
    const stored = readEpoch(path);
    const isNew = listSegments(fs, directory).length === 0;
    const epoch = stored ?? Math.max(1, epochs.last() + (isNew ? 1 : 0));
    const text = String(epoch).padStart(DIGITS, "0");
    if (stored === undefined) writeFileAtomically(fs, path, `${JSON.stringify({ version: 1, epoch: text })}\n`);
    epochs.keep(epoch);
    return text;
  });
}
