import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type ProgramSearch =
  | { readonly kind: "found"; readonly path: string }
  /** A file of that name is there, and cannot be executed by this user. */
  | { readonly kind: "not-executable"; readonly path: string }
  | { readonly kind: "missing" };

/** Where programs are when nobody says so; the working folder is no place to look for them unasked. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Finds what a name would start, as a shell would: a name with a slash is a path, any other is looked for in `path`. */
export function findProgram(
  name: string,
  { path = DEFAULT_PATH, cwd }: { readonly path?: string | undefined; readonly cwd: string },
): ProgramSearch {
  const candidates = name.includes("/") ? [resolve(cwd, name)] : placesOf(name, path, cwd);
  const there = candidates.filter(isFile);
  const executable = there.find(isExecutable);
  if (executable !== undefined) return { kind: "found", path: executable };
  const [first] = there;
  return first === undefined ? { kind: "missing" } : { kind: "not-executable", path: first };
}

/** An empty part of the path is the working folder, by an old rule. */
function placesOf(name: string, path: string, cwd: string): string[] {
  if (name === "") return [];
  return path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), name));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Nothing is there, or in a folder that this user may not look into, or behind a link that goes in circles.
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not for this user.
    return false;
  }
}
