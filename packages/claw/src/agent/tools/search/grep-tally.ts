import { relative } from "node:path";
import { LIMITS } from "claw-contract";
import { isInside } from "../../permissions/workspace.ts";
import type { ToolDeps } from "../tool-deps.ts";

export interface TallyOptions {
  readonly mode: "files_with_matches" | "content" | "count";
  readonly limit: number;
  readonly offset: number;
}

/** Makes an answer from the output of ripgrep, as much as an answer may hold. */
export interface GrepTally {
  /** Takes a line of ripgrep, or a name where only names are wanted; returns false to stop. */
  readonly take: (line: string) => boolean;
  /** The answer; `mayBeMore` when not every file with matches was looked at. */
  readonly report: (mayBeMore: boolean) => Readonly<Record<string, unknown>>;
}

/** A path as answers show it: relative to the workspace when the path is inside. */
export const shownPath = (path: string, root: string): string =>
  isInside(path, root) ? relative(root, path) || "." : path;

interface Counts {
  readonly lines: string[];
  readonly files: Set<string>;
  matches: number;
  skipped: number;
  size: number;
  isCut: boolean;
}

/** Adds a line unless it is before the offset; false when there is no room for it. */
function add(counts: Counts, line: string, { limit, offset }: TallyOptions): boolean {
  if (counts.skipped < offset) {
    counts.skipped += 1;
    return true;
  }
  counts.size += line.length + 1;
  if (counts.lines.length < limit && counts.size <= LIMITS.toolOutputBytes) return counts.lines.push(line) > 0;
  counts.isCut = true;
  return false;
}

/** Splits a line into its file and the rest; ripgrep ends names with NUL. Null for a line without a file. */
function parse(line: string): { readonly path: string; readonly rest: string } | null {
  const cut = line.indexOf("\0");
  return cut < 0 ? null : { path: line.slice(0, cut), rest: line.slice(cut + 1) };
}

export function createGrepTally(options: TallyOptions, { workspace }: Pick<ToolDeps, "workspace">): GrepTally {
  const counts: Counts = { lines: [], files: new Set(), matches: 0, skipped: 0, size: 0, isCut: false };
  const { mode } = options;
  const takeFile = (path: string, rest: string): boolean => {
    const name = shownPath(path, workspace.root);
    if (!add(counts, mode === "files_with_matches" ? name : `${name}:${rest}`, options)) return false;
    counts.files.add(name);
    // Lines around a match have a hyphen behind their number.
    if (mode === "count") counts.matches += Number(rest);
    else if (!/^\d+-/.test(rest)) counts.matches += 1;
    return true;
  };
  const take = (line: string): boolean => {
    if (mode === "files_with_matches") return takeFile(line, "");
    const parsed = parse(line);
    // A line without a file separates groups of lines.
    if (parsed === null) return counts.lines.length === 0 || counts.lines.at(-1) === "--" || add(counts, "--", options);
    return takeFile(parsed.path, parsed.rest.replace(/\r$/, ""));
  };
  return {
    take,
    report: (mayBeMore) => ({
      mode,
      numFiles: counts.files.size,
      filenames: mode === "content" ? [] : [...counts.files],
      ...(mode === "files_with_matches" ? {} : { content: counts.lines.join("\n"), numLines: counts.lines.length }),
      ...(mode === "files_with_matches" ? {} : { numMatches: counts.matches }),
      appliedLimit: counts.isCut ? counts.lines.length : null,
      appliedOffset: options.offset > 0 ? options.offset : null,
      truncated: counts.isCut || mayBeMore,
    }),
  };
}
