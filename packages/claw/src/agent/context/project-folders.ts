import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // This user may not read the folder, so the entry counts as absent.
    return false;
  }
};

/** The path with all links resolved; undefined when this user cannot reach it. */
export function resolveLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing, forbidden, or a link that goes in circles.
    return undefined;
  }
}

/** Whether `path` is `folder` or lies in it. Both are free of links. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`));
}

/** The folders of a project from the root down to `cwd`, free of links. The root has the repository, or is `cwd`. */
export function projectFolders(cwd: string, isEntry = isThere): readonly [string, ...string[]] {
  const start = resolveLinks(cwd) ?? cwd;
  const folders: [string, ...string[]] = [start];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start) folders.unshift(folder);
    if (isEntry(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}
