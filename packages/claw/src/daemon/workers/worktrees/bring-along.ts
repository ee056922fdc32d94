import { cpSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { LIMITS } from "@claw/contract";
import { askGit, worktreeFailed } from "./worktree-git.ts";

/** Names patterns of files that git does not know and worktrees need, written as in a .gitignore. */
const INCLUDE_FILE = ".worktreeinclude";

/** Whether a path leads into `.git` or `.claws`. These files are never copied. */
const isOff = (path: string): boolean => path.split(sep).some((part) => part === ".git" || part === ".claws");

/** The path relative to the root. Throws WORKTREE_FAILED for a path that leads out of the repository. */
function inside(root: string, path: string): string {
  const way = relative(root, resolve(root, path));
  if (way !== "" && !isAbsolute(way) && way.split(sep)[0] !== ".." && !isOff(way)) return way;
  throw worktreeFailed(path, `${path} is not a file of the repository`);
}

async function matching(root: string): Promise<string[]> {
  const file = join(root, INCLUDE_FILE);
  if (!existsSync(file)) return [];
  const { ok, text } = await askGit(root, ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${file}`]);
  return ok ? text.split("\0").filter((path) => path !== "" && !isOff(path)) : [];
}

/** Copies files that git does not know into a worktree, links as links. Tracked files are there already and stay. */
export async function bringAlong(root: string, worktree: string, include: readonly string[]): Promise<void> {
  const named = include.map((path) => inside(root, path));
  const paths = [...new Set([...named, ...(await matching(root))])];
  if (paths.length > LIMITS.worktreeFiles) throw worktreeFailed(root, "too many files are to be brought along");
  let bytes = 0;
  for (const path of paths) {
    const [from, to] = [join(root, path), join(worktree, path)];
    const stat = lstatSync(from, { throwIfNoEntry: false });
    if (stat === undefined) throw worktreeFailed(path, `${path} is to be brought along and is not there`);
    bytes += stat.isFile() ? stat.size : 0;
    if (bytes > LIMITS.worktreeBytes) throw worktreeFailed(root, "what is to be brought along is too large");
    mkdirSync(dirname(to), { recursive: true });
    const filter = (source: string): boolean => !isOff(relative(root, source));
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: false, filter });
  }
}
