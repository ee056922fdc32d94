import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";

export interface Counters {
  /** A number this workspace never gave out under that name. Throws a file error when that cannot be remembered. */
  next(name: string): number;
  /** A number that was kept under that name; 0 when none was. */
  kept(name: string): number;
  /** Keeps a number as it is. Throws a file error when it cannot. */
  keep(name: string, number: number): void;
  /**
   * Marks the numbers up to this one as given out, even when the file knows fewer. Puts numbers aside, so the next
   * calls of `next` need no disk. Throws a file error when the write fails.
   */
  startAfter(name: string, number: number): void;
}

function parse(text: string): Map<string, number> | undefined {
  try {
    const stored = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const entries = Object.entries(stored ?? {});
    return new Map(entries.flatMap(([name, value]) => (Number.isSafeInteger(value) ? [[name, value as number]] : [])));
  } catch {
    return undefined;
  }
}

/** Reads the counters. An unreadable or invalid file is replaced later, and the numbers go on from the log. */
function readCounters(path: string, report: (problem: string) => void): Map<string, number> {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind === "absent") return new Map();
  const counters = file.kind === "text" ? parse(file.text) : undefined;
  if (counters === undefined) report(`${path} tells nothing: numbers go on from the log`);
  return counters ?? new Map();
}

/** Numbers are put aside in blocks, so that most cost no write and a crash only skips the rest of a block. */
const BLOCK = 64;

export function openCounters(fs: FileSystem, path: string, report: (problem: string) => void): Counters {
  const reserved = readCounters(path, report);
  const used = new Map(reserved);
  const reserve = (name: string, upTo: number): void => {
    const next = { ...Object.fromEntries(reserved), [name]: upTo };
    withFileErrors("save", path, () => writeFileAtomically(fs, path, JSON.stringify(next)));
    reserved.set(name, upTo);
  };
  const hasLeft = (name: string, number: number): boolean => number <= (reserved.get(name) ?? 0);
  /** Puts a block aside before the current block ends, so a disk that is full for a while stops no caller. */
  const reserveAhead = (name: string, number: number): void => {
    try {
      if (!hasLeft(name, number + BLOCK / 2)) reserve(name, number + BLOCK - 1);
    } catch (error) {
      if (errnoOf(error) === undefined || !hasLeft(name, number)) throw error;
    }
  };
  return {
    next: (name) => {
      const number = (used.get(name) ?? 0) + 1;
      reserveAhead(name, number);
      used.set(name, number);
      return number;
    },
    kept: (name) => used.get(name) ?? 0,
    keep: (name, number) => {
      if (used.get(name) !== number) reserve(name, number);
      used.set(name, number);
    },
    startAfter: (name, number) => {
      // Ids given out before a crash may be missing in the log.
      if (number > (used.get(name) ?? 0)) used.set(name, number + BLOCK);
      reserveAhead(name, (used.get(name) ?? 0) + 1);
    },
  };
}
