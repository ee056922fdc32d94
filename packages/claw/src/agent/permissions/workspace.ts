import { sep } from "node:path";

/** Where the agent may work. Every path is absolute and free of links. */
export interface Workspace {
  readonly root: string;
  /** Further folders with the same rights as `root`. */
  readonly extraFolders: readonly string[];
}

/** Whether a path is a folder or lies below it. Both absolute and free of links. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export const isInWorkspace = (path: string, { root, extraFolders }: Workspace): boolean =>
  isInside(path, root) || extraFolders.some((folder) => isInside(path, folder));
