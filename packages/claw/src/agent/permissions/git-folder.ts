import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "@claw/contract";
import { readSmallFile } from "../../files/index.ts";
import { entryAt } from "./entry-at.ts";
import { resolvePath } from "./resolve-path.ts";
import { isInside } from "./workspace.ts";

/** Where git keeps what it knows of a working tree. */
export interface GitFolder {
  /** The tree's own folder. */
  readonly own: string;
  /** What it shares with other trees of the repository; the same as `own` for the first of them. */
  readonly common: string;
}

function firstLine(path: string): string | null {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? (file.text.split("\n", 1)[0] ?? null) : null;
}

/** Where a `.git` sends git, whether or not that place owns to it; null when it leads nowhere. */
export function gitDirectoryAt(mark: string): string | null {
  const stats = entryAt(mark);
  if (stats === null || stats.isDirectory()) return stats === null ? null : mark;
  if (stats.isSymbolicLink()) {
    const place = resolvePath(mark, { cwd: dirname(mark) });
    return entryAt(place)?.isFile() ? gitDirectoryAt(place) : place;
  }
  const target = /^gitdir: (.+)$/.exec(firstLine(mark) ?? "")?.[1];
  return target === undefined ? null : resolvePath(target, { cwd: dirname(mark) });
}

/** A worktree's folder, if it says itself that it belongs to that tree; the tree alone could point anywhere. */
function linkedFolder(file: string): GitFolder | null {
  const target = /^gitdir: (.+)$/.exec(firstLine(file) ?? "")?.[1];
  if (target === undefined) return null;
  const own = resolvePath(target, { cwd: dirname(file) });
  const back = firstLine(join(own, "gitdir"));
  const shared = firstLine(join(own, "commondir"));
  if (back === null || shared === null || resolvePath(back, { cwd: own }) !== file) return null;
  const common = resolvePath(shared, { cwd: own });
  return isInside(own, join(common, "worktrees")) ? { own, common } : null;
}

/** The folder of git for a tree whose root is known; null when there is none, or none that can be trusted. */
export function gitFolderAt(root: string): GitFolder | null {
  const place = join(root, ".git");
  const stats = entryAt(place);
  if (stats?.isDirectory()) {
    // A tree's first folder shares nothing; one that says so sends git elsewhere for its settings.
    const isSent = entryAt(join(place, "commondir")) !== null;
    return isSent ? null : { own: place, common: place };
  }
  return stats?.isFile() ? linkedFolder(place) : null;
}

/** The folder of git that holds for a folder, looked for up to the root of the workspace and not above. */
export function findGitFolder(cwd: string, root: string): GitFolder | null {
  for (let folder = cwd; isInside(folder, root); folder = dirname(folder)) {
    if (entryAt(join(folder, ".git")) !== null) return gitFolderAt(folder);
    if (folder === dirname(folder)) break;
  }
  return null;
}

/** Settings of git that name programs, or files with further settings. */
const PROGRAM =
  /\[[ \t]*include|(?:^|[\]\t ])(?:external|textconv|command|clean|smudge|process|program|sshcommand|askpass|helper|hookspath|fsmonitor|attributesfile|promisor|partialclone|worktreeconfig|worktree|vcs|uploadpack|driver)[ \t]*(?:=|\r?$)/im;

/** Whether git, asked in that tree, could start programs which its settings name. */
export function startsPrograms({ own, common }: GitFolder): boolean {
  return [join(common, "config"), join(own, "config.worktree")].some((path) => {
    const stats = entryAt(path);
    // Through another name of the file its text could become another at any time.
    if (stats !== null && (!stats.isFile() || stats.nlink > 1)) return true;
    const file = readSmallFile(path, LIMITS.settingsBytes);
    if (file.kind === "absent") return false;
    // A line that goes on could hide a name from a look at single lines.
    return file.kind === "unusable" || /\\\r?\n/.test(file.text) || PROGRAM.test(file.text);
  });
}

/** The mode of an entry that is a repository of its own, as the index writes it. */
const SUBMODULE = Buffer.from([0, 0, 0o160000 >> 8, 0]);

/**
 * Whether git, asked for changes in that tree, could ask in repositories below it, whose settings may name programs as
 * well. What their own tree says about them goes before what the environment says.
 */
export function holdsRepositories({ own }: GitFolder): boolean {
  const path = join(own, "index");
  const stats = entryAt(path);
  if (stats === null) return false;
  if (!stats.isFile() || stats.size > LIMITS.toolFileBytes) return true;
  const isSplit = readdirSync(own).some((name) => name.startsWith("sharedindex."));
  return isSplit || readFileSync(path).includes(SUBMODULE);
}
