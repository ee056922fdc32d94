import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError, LIMITS } from "@claw/contract";
import { errnoOf, readSmallFile } from "../../files/index.ts";
import { entryAt, isFolderAt } from "../permissions/entry-at.ts";
import { gitDirectoryAt, startsPrograms } from "../permissions/git-folder.ts";
import type { Removal } from "./sandbox.ts";
import type { ScannedFolder } from "./scan-tree.ts";
import { takeAway } from "./take-away.ts";

/** A file that git reads or runs, as it was: who it is, and its text where that is small. */
interface Part {
  readonly print: string;
  readonly text: string | null;
  readonly mode: number;
}

/** A folder that git takes for a repository. */
export interface GitPlace {
  /** What makes it one: `.git`, or `HEAD` where the folder itself is a repository. */
  readonly mark: string;
  /** Where its settings and hooks are; null when that leads nowhere. */
  readonly folder: string | null;
  /** What git would read or run, by its path. */
  readonly parts: ReadonlyMap<string, Part>;
}

const SETTINGS = ["config", "config.worktree", "commondir"];

function partAt(path: string): [path: string, part: Part][] {
  const stats = entryAt(path);
  if (stats === null) return [];
  const file = stats.isFile() ? readSmallFile(path, LIMITS.settingsBytes) : null;
  const text = file?.kind === "text" ? file.text : null;
  // A command cannot choose the time at which the system says that a file was changed.
  const print = stats.isDirectory() ? `${stats.ino},${stats.mode}` : [stats.ino, stats.ctimeMs, stats.size].join();
  return [[path, { print, text, mode: stats.mode & 0o777 }]];
}

/** Hooks that would run; examples do not. */
function hooksOf(folder: string): string[] {
  const hooks = join(folder, "hooks");
  if (!isFolderAt(hooks)) return [];
  try {
    return readdirSync(hooks).flatMap((name) => (name.endsWith(".sample") ? [] : [join(hooks, name)]));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [hooks];
  }
}

function folderOf(mark: string): string | null {
  try {
    return gitDirectoryAt(mark);
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Whether git would take the folder itself for a repository, by the names in it. */
export function isBare(names: ReadonlySet<string>): boolean {
  return names.has("HEAD") && ((names.has("objects") && names.has("refs")) || names.has("commondir"));
}

/** The repository that a folder is the top of, or is itself; null when it is none. */
export function placeAt({ path, entries }: ScannedFolder): GitPlace | null {
  const names = new Set(entries.map(({ name }) => name));
  if (!names.has(".git") && !isBare(names)) return null;
  const mark = join(path, names.has(".git") ? ".git" : "HEAD");
  const folder = names.has(".git") ? folderOf(mark) : path;
  const inside = folder === null ? [] : [...SETTINGS.map((name) => join(folder, name)), ...hooksOf(folder)];
  const isFile = names.has(".git") && entryAt(mark)?.isDirectory() !== true;
  return { mark, folder, parts: new Map([...(isFile ? [mark] : []), ...inside].flatMap(partAt)) };
}

/** The same repository, wherever it was moved, has the same parts. */
export const printOf = ({ parts }: GitPlace): string => [...parts.values()].map(({ print }) => print).join(";");

/** Whether git, asked there, would start programs or look for settings elsewhere. */
function isArmed({ folder }: GitPlace): boolean {
  if (folder === null) return false;
  const isSent = entryAt(join(folder, "commondir")) !== null;
  return isSent || startsPrograms({ own: folder, common: folder }) || hooksOf(folder).length > 0;
}

/** Whether the mark is a file or a link that a command made: it sends git to wherever the command liked. */
function isSender({ mark, parts }: GitPlace, before: GitPlace | undefined): boolean {
  const part = parts.get(mark);
  return part !== undefined && part.print !== before?.parts.get(mark)?.print;
}

function putBack(path: string, { text, mode }: Part): void {
  if (text === null) return;
  try {
    writeFileSync(path, text, { mode, flag: "wx" });
  } catch (error) {
    // Where it stood is gone with the command's doing, or something that could not be moved stands there.
    if (errnoOf(error) === undefined) throw error;
  }
}

/**
 * Takes from a repository what a command has made of it that would start programs: all of a new one, and of one that
 * was there before the files that changed, which become what they were.
 */
export function disarm(now: GitPlace, before: GitPlace | undefined, root: string): Removal[] {
  const isSent = isSender(now, before);
  if (!isSent && !isArmed(now)) return [];
  const paths = before === undefined || isSent ? [now.mark] : [...now.parts.keys()];
  return paths.flatMap((path) => {
    const old = before?.parts.get(path);
    if (old !== undefined && old.print === now.parts.get(path)?.print) return [];
    const removed = takeAway(path, root);
    if (old !== undefined) putBack(path, old);
    return [removed];
  });
}
