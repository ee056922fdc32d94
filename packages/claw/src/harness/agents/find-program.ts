import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where a program of that name would be started from: the first on the PATH that can be. */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | null {
  const folders = (env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => resolve(cwd, folder, name)).find(isProgram) ?? null;
}
