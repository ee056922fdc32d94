import { LIMITS } from "@claw/contract";
import type { FileSystem } from "../files/index.ts";
import { readSmallFile, withFileErrors, writeFileAtomically } from "../files/index.ts";

export interface Counters {
  /** A number this workspace never gave out under that name. Throws a file error when that cannot be remembered. */
  next(name: string): number;
}

function readCounters(path: string): Map<string, number> {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind !== "text") return new Map();
  const stored = JSON.parse(file.text) as Readonly<Record<string, unknown>>;
  return new Map(Object.entries(stored).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])));
}

/** Numbers are put aside in blocks, so that most cost no write and a crash only skips the rest of a block. */
const BLOCK = 64;

export function openCounters(fs: FileSystem, path: string): Counters {
  const reserved = readCounters(path);
  const used = new Map(reserved);
  return {
    next: (name) => {
      const number = (used.get(name) ?? 0) + 1;
      if (number > (reserved.get(name) ?? 0)) {
        const next = { ...Object.fromEntries(reserved), [name]: number + BLOCK - 1 };
        withFileErrors("save", path, () => writeFileAtomically(fs, path, JSON.stringify(next)));
        reserved.set(name, number + BLOCK - 1);
      }
      used.set(name, number);
      return number;
    },
  };
}
