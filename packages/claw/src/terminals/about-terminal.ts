import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CloseOrigin } from "@claw/contract/schemas";
import { LIMITS } from "@claw/contract";
import {
  errnoOf,
  nodeFileSystem,
  openOwnFolder,
  PRIVATE_FOLDER,
  readSmallFile,
  writeFileAtomically,
} from "../files/index.ts";
import type { ProcessIdentity } from "../process/index.ts";
import { listSegments } from "./raw-folder.ts";

export interface TerminalEnd {
  /** ISO time. */
  readonly at: string;
  readonly origin: CloseOrigin;
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/** What is known of a terminal beside its output. */
export interface AboutTerminal {
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  /** Its first process, by which it is found again; null before there is one. */
  readonly program: ProcessIdentity | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** ISO time. */
  readonly openedAt: string;
  readonly correlationId: string | null;
  readonly workerId: string | null;
  /** What a worker's agent and all it starts are marked with; null for other programs. Older hosts did not mark any. */
  readonly tree?: string | null;
  readonly integrated: boolean;
  /** Null while it is open, or when the host was ended before it could say. */
  readonly end: TerminalEnd | null;
  /** Sizes it has had, each from an offset on. */
  readonly sizes: readonly { readonly offset: number; readonly cols: number; readonly rows: number }[];
}

/** Ids are given out by the daemon; nothing else is a folder of a terminal. */
export const isTerminalId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id);

export const terminalsFolder = (folder: string): string => join(folder, "terminals");
export const terminalFolder = (folder: string, id: string): string => join(terminalsFolder(folder), id);

/** Makes the folder of a terminal. Throws when it is there already. */
export function makeTerminalFolder(folder: string, id: string): string {
  const path = terminalFolder(folder, id);
  openOwnFolder(terminalsFolder(folder));
  mkdirSync(path, { mode: PRIVATE_FOLDER });
  return path;
}

export function writeAbout(folder: string, about: AboutTerminal): void {
  writeFileAtomically(nodeFileSystem, join(terminalFolder(folder, about.id), "about.json"), JSON.stringify(about));
}

/** What was stored of a terminal; undefined when nothing was. Never throws. */
export function readAbout(folder: string, id: string): AboutTerminal | undefined {
  if (!isTerminalId(id)) return undefined;
  const file = readSmallFile(join(terminalFolder(folder, id), "about.json"), LIMITS.settingsBytes);
  if (file.kind !== "text") return undefined;
  try {
    const about = JSON.parse(file.text) as AboutTerminal | null;
    return about?.id === id ? about : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of the terminals that something was stored of, oldest first. Never throws. */
export function storedTerminals(folder: string): string[] {
  try {
    return readdirSync(terminalsFolder(folder))
      .filter(isTerminalId)
      .toSorted((one, other) => Number(one) - Number(other));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

/** Removes what is stored of the oldest closed terminals, beyond what is kept. */
export function forgetOldTerminals(folder: string, isOpen: (id: string) => boolean): void {
  // What a link leads to is not ours to remove.
  openOwnFolder(terminalsFolder(folder));
  let bytes = 0;
  for (const [index, id] of storedTerminals(folder)
    .filter((stored) => !isOpen(stored))
    .toReversed()
    .entries()) {
    bytes += listSegments(terminalFolder(folder, id)).reduce((sum, { size }) => sum + size, 0);
    const keeps = index < LIMITS.closedTerminals && bytes <= LIMITS.closedTerminalsBytes;
    if (!keeps) rmSync(terminalFolder(folder, id), { recursive: true, force: true });
  }
}
