import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { entryAt } from "./entry-at.ts";
import { resolvePath } from "./resolve-path.ts";
import { isInside } from "./workspace.ts";

/** The folders in which git keeps its data about a working tree. */
export interface GitFolder {
  /** The tree's own folder. */
  readonly own: string;
  /** The folder that all trees of the repository share; the same as `own` for the repository's main tree. */
  readonly common: string;
}

function firstLine(path: string): string | null {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? (file.text.split("\n", 1)[0] ?? null) : null;
}

/**
 * The folder that a `.git` entry leads to; null when there is none. Does not check that the folder names the tree in
 * return.
 */
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

/**
 * The git folder of a linked worktree; null unless that folder names the worktree's `.git` in return. The `.git` file
 * alone could point anywhere.
 */
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

/** The git folder of the tree at `root`; null when there is none, or none that can be trusted. */
export function gitFolderAt(root: string): GitFolder | null {
  const place = join(root, ".git");
  const stats = entryAt(place);
  if (stats?.isDirectory()) {
    // The git folder of a main tree has no `commondir`. With a `commondir`, git would read its settings elsewhere.
    const isSent = entryAt(join(place, "commondir")) !== null;
    return isSent ? null : { own: place, common: place };
  }
  return stats?.isFile() ? linkedFolder(place) : null;
}

/** The git folder that holds for `cwd`. The search goes up to the root of the workspace, not above. */
export function findGitFolder(cwd: string, root: string): GitFolder | null {
  for (let folder = cwd; isInside(folder, root); folder = dirname(folder)) {
    if (entryAt(join(folder, ".git")) !== null) return gitFolderAt(folder);
    if (folder === dirname(folder)) break;
  }
  return null;
}

/** Settings of git that name programs, or files with further settings. */
const RUNS_PROGRAM =
  /\[[ \t]*include|(?:^|[\]\t ])(?:external|textconv|command|clean|smudge|process|program|sshcommand|askpass|helper|hookspath|fsmonitor|attributesfile|promisor|partialclone|worktreeconfig|worktree|vcs|uploadpack|driver)[ \t]*(?:=|\r?$)/im;

/** Whether git in the tree could start programs that the tree's settings name. */
export function startsPrograms({ own, common }: GitFolder): boolean {
  return [join(common, "config"), join(own, "config.worktree")].some((path) => {
    const stats = entryAt(path);
    // Through a link, or through a second name of the file, the text could change at any time.
    if (stats !== null && (!stats.isFile() || stats.nlink > 1)) return true;
    const file = readSmallFile(path, LIMITS.settingsBytes);
    if (file.kind === "absent") return false;
    // A setting that goes on in the next line could hide a name from the pattern, which looks at single lines.
    return file.kind === "unusable" || /\\\r?\n/.test(file.text) || RUNS_PROGRAM.test(file.text);
  });
}

/** The mode of a submodule's entry, as the index file of git writes it. */
const SUBMODULE = Buffer.from([0, 0, 0o160000 >> 8, 0]);

/**
 * Whether `git status` or `git diff` in the tree could run git in submodules, whose settings may name programs too. The
 * environment tells git to ignore submodules, but the tree's settings about its submodules override the environment.
 */
export function holdsRepositories({ own }: GitFolder): boolean {
  const path = join(own, "index");
  const stats = entryAt(path);
  if (stats === null) return false;
  if (!stats.isFile() || stats.size > LIMITS.toolFileBytes) return true;
  const isSplit = readdirSync(own).some((name) => name.startsWith("sharedindex."));
  return isSplit || readFileSync(path).includes(SUBMODULE);
}
