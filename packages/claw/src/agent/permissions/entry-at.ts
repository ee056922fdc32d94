import type { Stats } from "node:fs";
import { lstatSync, statSync } from "node:fs";
import { errnoOf } from "../../files/index.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

function statsOf(run: () => Stats): Stats | null {
  try {
    return run();
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

/** The stats of the entry at a path, without following a link there; null when there is no entry. */
export const entryAt = (path: string): Stats | null => statsOf(() => lstatSync(path));

/** Whether a path leads to a folder. */
export const isFolderAt = (path: string): boolean => statsOf(() => statSync(path))?.isDirectory() ?? false;
