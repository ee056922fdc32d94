import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { readSmallFile, unlessRefused } from "../../files/index.ts";
import { entryAt, isFolderAt } from "../permissions/entry-at.ts";
import { gitDirectoryAt, startsPrograms } from "../permissions/git-folder.ts";
import type { MovedAway } from "./sandbox.ts";
import type { ScannedFolder } from "./scan-tree.ts";
import { takeAway } from "./take-away.ts";

/** A file that git reads or runs, as it was: `print` identifies the file, `text` is null when the file is not small. */
interface Part {
  readonly print: string;
  readonly text: string | null;
  readonly mode: number;
}

/** A folder that git takes for a repository. */
export interface GitPlace {
  /** The entry that marks the repository: `.git`, or `HEAD` where the folder itself is a repository. */
  readonly mark: string;
  /** The folder with the settings and hooks; null when the mark leads nowhere. */
  readonly folder: string | null;
  /** The files that git would read or run, by path. */
  readonly parts: ReadonlyMap<string, Part>;
}

const SETTINGS = ["config", "config.worktree", "commondir"];

function partAt(path: string): [path: string, part: Part][] {
  const stats = entryAt(path);
  if (stats === null) return [];
  const file = stats.isFile() ? readSmallFile(path, LIMITS.settingsBytes) : null;
  const text = file?.kind === "text" ? file.text : null;
  // A command cannot choose a file's ctime, the time of a change as the system records it.
  const print = stats.isDirectory() ? `${stats.ino},${stats.mode}` : [stats.ino, stats.ctimeMs, stats.size].join();
  return [[path, { print, text, mode: stats.mode & 0o777 }]];
}

/** The hooks that git would run; `.sample` files do not run. */
function hooksOf(folder: string): string[] {
  const hooks = join(folder, "hooks");
  if (!isFolderAt(hooks)) return [];
  return unlessRefused(
    () => readdirSync(hooks).flatMap((name) => (name.endsWith(".sample") ? [] : [join(hooks, name)])),
    [hooks],
  );
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

/** The repository at a folder: the folder is its top, or is itself the git folder. Null when there is none. */
export function placeAt({ path, entries }: ScannedFolder): GitPlace | null {
  const names = new Set(entries.map(({ name }) => name));
  if (!names.has(".git") && !isBare(names)) return null;
  const mark = join(path, names.has(".git") ? ".git" : "HEAD");
  const folder = names.has(".git") ? folderOf(mark) : path;
  const inside = folder === null ? [] : [...SETTINGS.map((name) => join(folder, name)), ...hooksOf(folder)];
  const isFile = names.has(".git") && entryAt(mark)?.isDirectory() !== true;
  return { mark, folder, parts: new Map([...(isFile ? [mark] : []), ...inside].flatMap(partAt)) };
}

/** Identifies a repository by its parts, which stay the same when the repository is moved. */
export const fingerprintOf = ({ parts }: GitPlace): string => [...parts.values()].map(({ print }) => print).join(";");

/** Whether git would start programs in the repository, or look for settings elsewhere. */
function isArmed({ folder }: GitPlace): boolean {
  if (folder === null) return false;
  const isSent = entryAt(join(folder, "commondir")) !== null;
  return isSent || startsPrograms({ own: folder, common: folder }) || hooksOf(folder).length > 0;
}

/** Whether a command made the mark, as a file or a link: git would follow it to any folder the command chose. */
function isSender({ mark, parts }: GitPlace, before: GitPlace | undefined): boolean {
  const part = parts.get(mark);
  return part !== undefined && part.print !== before?.parts.get(mark)?.print;
}

function putBack(path: string, { text, mode }: Part): void {
  if (text === null) return;
  // The command removed the folder, or an entry that could not be moved away still stands at the path.
  unlessRefused(() => writeFileSync(path, text, { mode, flag: "wx" }));
}

/**
 * Disarms a repository in which a command made git start programs. Of a new repository, the mark is moved away. In a
 * repository that was there before, changed files are moved away and their old text is written back.
 */
export function disarm(now: GitPlace, before: GitPlace | undefined, root: string): MovedAway[] {
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
