import { basename, join, relative, sep } from "node:path";
import { ClawError } from "claw-contract";
import { gitDirectoryAt } from "./git-folder.ts";
import { gitNamedFiles } from "./git-named-files.ts";
import { resolvePath } from "./resolve-path.ts";
import type { Workspace } from "./workspace.ts";
import { isInside } from "./workspace.ts";

/**
 * Names of files and folders that configure the agent, or from which git runs programs. Compared without regard to
 * case, since some disks ignore case.
 */
const PROTECTED = new Set([".git", ".claw", ".claw.json", ".claws"]);

/** With certain other entries beside it, a file of this name makes any folder a repository. */
const REPOSITORY_MARK = "HEAD";

function hasProtectedName(path: string, { root, extraFolders }: Workspace): boolean {
  const home = [root, ...extraFolders].find((folder) => isInside(path, folder));
  const inner = home === undefined ? path : relative(home, path);
  if (basename(inner) === REPOSITORY_MARK) return true;
  return inner.split(sep).some((name) => PROTECTED.has(name.normalize("NFKC").toLowerCase()));
}

/** The result of `find`; null when a path cannot be resolved, as with a loop of links. */
function whereItLeads<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Files and folders that git in a folder would read as settings or run: each as named, and with links followed. */
function namedByGit(folder: string): string[] {
  const git = whereItLeads(() => gitDirectoryAt(join(folder, ".git")));
  if (git === null) return [];
  return gitNamedFiles(folder, git).flatMap((path) => [
    path,
    whereItLeads(() => resolvePath(path, { cwd: folder })) ?? path,
  ]);
}

/**
 * Whether writing to a path could give the agent rights, or leave a program that the user's next call of git starts.
 * Holds at any depth of the workspace. The path is absolute and free of links.
 */
export function isProtected(path: string, workspace: Workspace): boolean {
  if (hasProtectedName(path, workspace)) return true;
  return [workspace.root, ...workspace.extraFolders].flatMap(namedByGit).some((named) => isInside(path, named));
}
