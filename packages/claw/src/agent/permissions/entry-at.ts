import type { Stats } from "node:fs";
import { lstatSync, statSync } from "node:fs";
import { errnoOf } from "../../files/index.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

function look(run: () => Stats): Stats | null {
  try {
    return run();
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

/** What stands at a path, a link as a link; null when nothing does. */
export const entryAt = (path: string): Stats | null => look(() => lstatSync(path));

/** Whether a path leads to a folder. */
export const isFolderAt = (path: string): boolean => look(() => statSync(path))?.isDirectory() ?? false;
