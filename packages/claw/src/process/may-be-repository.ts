import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Whether git could find a repository from a folder. Starts no process. Serves the rows `claw status` of `cold-start` and
 * `claw -p, start to first request`.
 */
export function mayBeRepository(cwd: string): boolean {
  if (!existsSync(cwd)) return true;
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (folder === dirname(folder)) return false;
  }
}
