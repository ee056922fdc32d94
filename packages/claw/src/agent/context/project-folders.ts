import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // In a folder that may not be looked into there is nothing for this user.
    return false;
  }
};

/** Where a path leads; undefined when nowhere this user can go. */
export function resolvePath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing, forbidden, or a link that goes in circles.
    return undefined;
  }
}

/** Whether a path, free of links, is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`));
}

/** The folders of a project from its root down to `cwd`, free of links: the root has the repository, or is `cwd`. */
export function projectFolders(cwd: string, isEntry = isThere): readonly [string, ...string[]] {
  const start = resolvePath(cwd) ?? cwd;
  const folders: [string, ...string[]] = [start];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start) folders.unshift(folder);
    if (isEntry(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}
