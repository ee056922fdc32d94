import { basename, join, relative, sep } from "node:path";
import { ClawError } from "@claw/contract";
import { gitDirectoryAt } from "./git-folder.ts";
import { gitNamedFiles } from "./git-named-files.ts";
import { resolvePath } from "./resolve-path.ts";
import type { Workspace } from "./workspace.ts";
import { isInside } from "./workspace.ts";

/**
 * Names that hold what decides over the agent itself, or what git runs. Compared without regard to case, since some
 * disks do the same.
 */
const PROTECTED = new Set([".git", ".claw", ".claw.json", ".claws"]);

/** The file that makes any folder a repository, if others stand beside it. */
const REPOSITORY_MARK = "HEAD";

function hasProtectedName(path: string, { root, extraFolders }: Workspace): boolean {
  const home = [root, ...extraFolders].find((folder) => isInside(path, folder));
  const inner = home === undefined ? path : relative(home, path);
  if (basename(inner) === REPOSITORY_MARK) return true;
  return inner.split(sep).some((name) => PROTECTED.has(name.normalize("NFKC").toLowerCase()));
}

/** What `find` finds; nothing where a loop of links leads nowhere. */
function whereItLeads<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Files and folders that git would read as settings or run, asked in a folder of the workspace; and where links lead. */
function namedByGit(folder: string): string[] {
  const git = whereItLeads(() => gitDirectoryAt(join(folder, ".git")));
  if (git === null) return [];
  return gitNamedFiles(folder, git).flatMap((path) => [
    path,
    whereItLeads(() => resolvePath(path, { cwd: folder })) ?? path,
  ]);
}

/**
 * Whether writing there could give the agent rights, or leave a program for the user's next call of git. At any depth
 * of the workspace. The path is absolute and free of links.
 */
export function isProtected(path: string, workspace: Workspace): boolean {
  if (hasProtectedName(path, workspace)) return true;
  return [workspace.root, ...workspace.extraFolders].flatMap(namedByGit).some((named) => isInside(path, named));
}
