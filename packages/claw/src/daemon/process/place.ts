import { constants, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, lockState, nodeFileSystem, readSmallFile, unlessRefused } from "../../files/index.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/**
 * The files a daemon depends on: its folder, lock, log, record and socket. When one is missing, clients no longer find
 * the daemon, or another daemon may take over. So the daemon has to end.
 */
export interface DaemonFiles {
  /** The path of a file that is gone or replaced; undefined while every file is as before. */
  missing(): string | undefined;
  /** Whether the folder is still the one the daemon began with, and has not been given up. */
  isOwn(): boolean;
  /**
   * Calls `told` with the missing path as soon as the system reports a change. Where the system cannot watch, `report`
   * is called and the caller has to ask `missing`.
   */
  follow(onChange: (what: string) => void, report: (problem: string) => void): void;
  /**
   * Milliseconds after which the caller has to ask `missing` without any activity; Infinity while the system reports
   * changes.
   */
  lookAgainMs(): number;
  /** Gives the place up: `isOwn` returns false from now on. */
  close(): void;
}

type Identity = `${number} ${number}` | "none";

/** Which file stands at a path. */
function identityOf(fs: FileSystem, path: string): Identity {
  return unlessRefused((): Identity => {
    const { dev, ino } = fs.lstatSync(path);
    return `${dev} ${ino}`;
  }, "none");
}

/** Whether this process wrote the record. */
function isOwnRecord(path: string): boolean {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" && file.text.includes(`"pid":${process.pid},`);
}

function isOwnLock(fs: FileSystem, path: string): boolean {
  const state = lockState(fs, path);
  return state.kind === "held" && state.owner?.pid === process.pid;
}

function hasSegments(fs: FileSystem, directory: string): boolean {
  return unlessRefused(() => fs.readdirSync(directory).some((name) => name.endsWith(".jsonl")), false);
}

interface Watching {
  readonly folders: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly touched: () => void;
  readonly report: (problem: string) => void;
}

/** Watches names in folders, where the system can. */
function watchNames({ folders, names, touched, report }: Watching): FSWatcher[] {
  return [...folders].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || names.has(name)) setImmediate(touched);
      });
      return watcher.on("error", (error) => report(error.message));
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      report(`${folder} cannot be watched: ${(error as Error).message}`);
      return [];
    }
  });
}

/** The file names that belong to the place. */
const fileNames = ({ folder, log, lock, record }: WorkspaceFiles, socket: string): Set<string> =>
  new Set([folder, log, lock, record, socket].map((path) => basename(path)));

/**
 * Takes the folder as it is now. Log and socket are compared with their state at the call of `follow`. `hasLog` is false
 * for a daemon whose log stands in NATS.
 */
export function openPlace(files: WorkspaceFiles, socket: string, hasLog = true): DaemonFiles {
  const fs = nodeFileSystem;
  // Held open, so the system cannot give the folder's inode number to another folder.
  const held = fs.openSync(files.folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const folder = identityOf(fs, files.folder);
  const watchers: FSWatcher[] = [];
  const known = new Map<string, Identity>();
  let closed = false;
  let isWatched = true;

  const isOwn = (): boolean => !closed && identityOf(fs, files.folder) === folder;
  const missing = (): string | undefined => {
    if (!isOwn()) return files.folder;
    const replaced = [...known].find(([path, identity]) => identityOf(fs, path) !== identity);
    if (replaced !== undefined) return replaced[0];
    if (!isOwnLock(fs, files.lock)) return files.lock;
    if (!isOwnRecord(files.record)) return files.record;
    return !hasLog || hasSegments(fs, files.log) ? undefined : files.log;
  };
  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const watcher of watchers) watcher.close();
    fs.closeSync(held);
  };
  return {
    isOwn,
    missing,
    close,
    follow: (onChange, report) => {
      for (const path of [files.log, socket]) known.set(path, identityOf(fs, path));
      const touched = (): void => {
        const what = closed ? undefined : missing();
        if (what !== undefined) onChange(what);
      };
      const names = fileNames(files, socket);
      const deaf = (problem: string): void => {
        isWatched = false;
        report(problem);
      };
      watchers.push(...watchNames({ folders: new Set([files.folder, dirname(socket)]), names, touched, report: deaf }));
    },
    lookAgainMs: () => (isWatched ? Infinity : LIMITS.placeLookMs),
  };
}
