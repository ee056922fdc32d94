import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type ProgramSearch =
  | { readonly kind: "found"; readonly path: string }
  /** A file with the searched name exists, but the user cannot execute it. */
  | { readonly kind: "not-executable"; readonly path: string }
  | { readonly kind: "missing" };

/** Search path when the environment gives none. The working folder is left out: it must be asked for. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Finds the program a name would start, as a shell does: a name with a slash is a path, any other name is searched in
 * `path`.
 */
export function findProgram(
  name: string,
  { path = DEFAULT_PATH, cwd }: { readonly path?: string | undefined; readonly cwd: string },
): ProgramSearch {
  const candidates = name.includes("/") ? [resolve(cwd, name)] : placesOf(name, path, cwd);
  let first: string | undefined;
  for (const path of candidates) {
    if (!isFile(path)) continue;
    if (isExecutable(path)) return { kind: "found", path };
    first ??= path;
  }
  return first === undefined ? { kind: "missing" } : { kind: "not-executable", path: first };
}

/** An empty part of the path means the working folder, as in a shell. */
function placesOf(name: string, path: string, cwd: string): string[] {
  if (name === "") return [];
  return path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), name));
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // The folder is not readable for this user, or a link goes in circles.
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // This user may not execute the file.
    return false;
  }
}
