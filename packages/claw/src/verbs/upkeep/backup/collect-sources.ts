import { lstatSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { ClawError } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { lockState, requireOwn, withFileErrors } from "../../../files/index.ts";
import type { BackupSource } from "../archive/write-archive.ts";
import { isKept, orderFiles } from "./kept-files.ts";
import { openSource } from "./open-source.ts";

/** The folders that a backup is made of. */
export const BACKED_UP = [".claw", ".claws"] as const;

/** Every file that a backup of the folder is to hold, relative to the folder. Links are left out. */
function listFiles(cwd: string): string[] {
  return BACKED_UP.flatMap((root) => {
    const folder = join(cwd, root);
    return withFileErrors("list", folder, () => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (stats === undefined) return [];
      requireOwn(folder, stats, "folder");
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return files.map((path) => relative(cwd, path)).filter(isKept);
    });
  });
}

const SESSION = /^\.claw\/sessions\/[^/]+\.jsonl$/;

/** Whether a process may be in the middle of a line: the daemon, a worker, or the holder of a session's lock. */
function mayBeWritten(path: string, { fs, cwd }: Place): boolean {
  if (!path.endsWith(".jsonl")) return false;
  if (!SESSION.test(path)) return true;
  return lockState(fs, join(cwd, path.replace(/\.jsonl$/, ".lock"))).kind === "held";
}

interface Place {
  readonly fs: FileSystem;
  readonly cwd: string;
}

const open = (path: string, place: Place): BackupSource[] => {
  const source = openSource(path, { ...place, wholeLines: mayBeWritten(path, place) });
  return source === undefined ? [] : [source];
};

const TRIES = 5;

/** All segments of the log at one moment. Retention may remove the oldest while they are opened. */
function openLog(place: Place): BackupSource[] {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const listed = orderFiles(listFiles(place.cwd)).log;
    const sources = listed.flatMap((path) => open(path, place));
    if (sources.length === listed.length) return sources;
    for (const { close } of sources) close();
  }
  throw new ClawError("FILESYSTEM_ERROR", "the log changed again and again while it was read", {
    operation: "backup",
    target: join(place.cwd, ".claws", "log"),
    hint: "Call again.",
  });
}

/** Where the log of a backup ends. */
export interface LogEnd {
  /** Sequence of the last event; null without one. */
  sequence: number | null;
}

/**
 * The files of a backup, each opened when the one before is done; the log at one moment, whose end is noted in `end`.
 */
export function* collectSources(place: Place, end: LogEnd): Generator<BackupSource> {
  const { before, after } = orderFiles(listFiles(place.cwd));
  for (const path of before) yield* open(path, place);
  const log = openLog(place);
  end.sequence = log.reduce<number | null>((last, source) => source.lastSequence() ?? last, null);
  yield* log;
  for (const path of after) yield* open(path, place);
}

export const isSession = (path: string): boolean => SESSION.test(path);

/** The size of everything that a backup would hold now, for a dry run. */
export function measure(place: Place, end: LogEnd): { files: { path: string; size: number }[]; bytes: number } {
  const files: { path: string; size: number }[] = [];
  for (const { path, size, close } of collectSources(place, end)) {
    close();
    files.push({ path, size });
  }
  return { files, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

export const nameOf = (cwd: string): string => basename(cwd).replaceAll(/[^\w.-]+/g, "-") || "workspace";
