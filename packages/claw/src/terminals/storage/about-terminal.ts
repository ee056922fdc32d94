import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "claw-contract";
import { LIMITS } from "claw-contract";
import {
  nodeFileSystem,
  openOwnFolder,
  PRIVATE_FOLDER,
  readJsonFile,
  writeFileAtomically,
  unlessRefused,
} from "../../files/index.ts";
import { listOutputFiles } from "./raw-folder.ts";

/** The daemon assigns the ids. A folder with any other name is not a terminal's folder. */
export const isTerminalId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id);

export const terminalsFolder = (folder: string): string => join(folder, "terminals");
export const terminalFolder = (folder: string, id: string): string => join(terminalsFolder(folder), id);

/** Makes the folder of a terminal. Throws when the folder already exists. */
export function makeTerminalFolder(folder: string, id: string): string {
  const path = terminalFolder(folder, id);
  openOwnFolder(terminalsFolder(folder));
  mkdirSync(path, { mode: PRIVATE_FOLDER });
  return path;
}

/**
 * Stores the data of a terminal. They survive a kill of this process. A power cut can bring the data from before back:
 * then the terminal counts as one whose host was killed. A sync of the folder would prevent this, but it takes a tenth
 * of the CPU time of a close (benchmark `terminals`, CPU per MB).
 */
export function writeAbout(folder: string, about: Terminal): void {
  const path = join(terminalFolder(folder, about.id), "about.json");
  writeFileAtomically(nodeFileSystem, path, JSON.stringify(about), { syncName: false });
}

/** The stored data of a terminal; undefined when none is stored. Never throws. */
export function readAbout(folder: string, id: string): Terminal | undefined {
  if (!isTerminalId(id)) return undefined;
  const about = readJsonFile<Terminal>(join(terminalFolder(folder, id), "about.json"), LIMITS.settingsBytes);
  return about?.id === id ? (about as Terminal) : undefined;
}

/** Ids of the stored terminals, oldest first. Never throws. */
export function storedTerminals(folder: string): string[] {
  return unlessRefused(
    () =>
      readdirSync(terminalsFolder(folder))
        .filter(isTerminalId)
        .toSorted((one, other) => Number(one) - Number(other)),
    [],
  );
}

/** Removes the stored data of the oldest closed terminals beyond the limits. */
export function forgetOldTerminals(folder: string, isOpen: (id: string) => boolean): void {
  // A link's target does not belong to claw and must not be removed.
  openOwnFolder(terminalsFolder(folder));
  let bytes = 0;
  for (const [index, id] of storedTerminals(folder)
    .filter((stored) => !isOpen(stored))
    .toReversed()
    .entries()) {
    bytes += listOutputFiles(terminalFolder(folder, id)).reduce((sum, { size }) => sum + size, 0);
    const keeps = index < LIMITS.closedTerminals && bytes <= LIMITS.closedTerminalsBytes;
    if (!keeps) rmSync(terminalFolder(folder, id), { recursive: true, force: true });
  }
}
