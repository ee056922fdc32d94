import { basename, relative, sep } from "node:path";

/** Where the agent may work. Every path is absolute and free of links. */
export interface Workspace {
  readonly root: string;
  /** Folders besides, with the same rights. */
  readonly extraFolders: readonly string[];
}

/** Whether a path is a folder or lies below it. Both absolute and free of links. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export const isInWorkspace = (path: string, { root, extraFolders }: Workspace): boolean =>
  isInside(path, root) || extraFolders.some((folder) => isInside(path, folder));

/**
 * Names that hold what decides over the agent itself, or what git runs. Compared without regard to case, since some
 * disks do the same.
 */
const PROTECTED = new Set([".git", ".claw", ".claw.json", ".claws"]);

/** The file that makes any folder a repository, if others stand beside it. */
const REPOSITORY_MARK = "HEAD";

/** Whether writing there could give the agent rights, at any depth of the workspace. */
export function isProtected(path: string, { root, extraFolders }: Workspace): boolean {
  const home = [root, ...extraFolders].find((folder) => isInside(path, folder));
  const inner = home === undefined ? path : relative(home, path);
  if (basename(inner) === REPOSITORY_MARK) return true;
  return inner.split(sep).some((name) => PROTECTED.has(name.normalize("NFKC").toLowerCase()));
}
