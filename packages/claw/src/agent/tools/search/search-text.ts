import { closeSync } from "node:fs";
import { ClawError, LIMITS } from "claw-contract";
import { nameForChild, openJudgedFile, statJudged } from "../files/judged-files.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { ToolDeps } from "../tool-deps.ts";

export interface TextSearch {
  readonly pattern: string;
  /** A file or a folder, absolute and free of links. */
  readonly path: string;
  /** Flags of ripgrep for matching, such as `--ignore-case`. */
  readonly matching: readonly string[];
  /** Flags of ripgrep that choose the files of a folder. */
  readonly choosing: readonly string[];
  /** Flags of ripgrep for the output of a match. */
  readonly showing: readonly string[];
  readonly ends: "\n" | "\0";
  /** How many files are searched at most. */
  readonly maxFiles: number;
  /** Takes one record, with the path of its file; returns false to stop. */
  readonly onRecord: (record: string) => boolean;
}

/** Files that are open at once. */
const BATCH = 256;

interface OpenFile {
  readonly path: string;
  readonly fd: number;
}

function openFiles(paths: readonly string[]): OpenFile[] {
  const opened: OpenFile[] = [];
  for (const path of paths) {
    try {
      opened.push({ path, fd: openJudgedFile(path).fd });
    } catch (error) {
      // The file is gone or was replaced since the walk found it; the search leaves the file out.
      if (!(error instanceof ClawError)) throw error;
    }
  }
  return opened;
}

/** The files that may hold a match: the file itself, or the files that a walk through the folder finds. */
async function findFiles(
  { pattern, path, matching, choosing, maxFiles }: TextSearch,
  deps: ToolDeps,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const isHidden = (file: string): boolean => deps.isHidden?.(file) === true;
  if (!statJudged(path).isDirectory()) {
    closeSync(openJudgedFile(path).fd);
    return isHidden(path) ? [] : [path];
  }
  const found: string[] = [];
  const onRecord = (file: string): boolean => {
    if (!isHidden(file)) found.push(file);
    return found.length < maxFiles;
  };
  const flags = [...matching, ...choosing, "--null", "--sort=path", "--files-with-matches"];
  await runRipgrep({ flags, pattern, path, ends: "\0", onRecord, timeoutMs }, deps, signal);
  return found;
}

/** Replaces the name that ripgrep got for a file by the file's path. */
function renamed(record: string, paths: ReadonlyMap<string, string>): string {
  const end = record.indexOf("\0");
  const name = end < 0 ? record : record.slice(0, end);
  return (paths.get(name) ?? name) + record.slice(name.length);
}

/**
 * Searches the text of files. Ripgrep walks a folder by names, and a name can become a link while it walks. So the walk
 * only tells which files are worth a look; each of them is opened here, where a link is refused, and ripgrep searches
 * what was opened. Resolves with whether there may be more files with matches. Rejects as `runRipgrep` does.
 */
export async function searchText(search: TextSearch, deps: ToolDeps, signal: AbortSignal): Promise<boolean> {
  const { pattern, path, matching, showing, ends } = search;
  const until = performance.now() + LIMITS.searchMs;
  const timeoutMs = (): number => Math.max(0, until - performance.now());
  const found = await findFiles(search, deps, timeoutMs(), signal);
  for (let at = 0; at < found.length; at += BATCH) {
    const files = openFiles(found.slice(at, at + BATCH));
    if (files.length === 0) continue;
    const names = files.map((file) => nameForChild(file.fd, file.path));
    const paths = new Map(files.map((file, index) => [names[index] ?? "", file.path]));
    let isEnough = false;
    const onRecord = (record: string): boolean => {
      isEnough = !search.onRecord(renamed(record, paths));
      return !isEnough;
    };
    try {
      const flags = [...matching, ...showing];
      await runRipgrep({ flags, pattern, path, names, ends, onRecord, timeoutMs: timeoutMs() }, deps, signal);
    } finally {
      for (const { fd } of files) closeSync(fd);
    }
    if (isEnough) break;
  }
  return found.length >= search.maxFiles;
}
