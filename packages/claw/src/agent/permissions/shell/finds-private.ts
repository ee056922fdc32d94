import { join, resolve } from "node:path";
import { entryAt, isFolderAt } from "../entry-at.ts";
import type { VetContext } from "./vet-paths.ts";

/** Flags with which a command goes through whole folders, also folders that the line does not name. Null: always. */
const GOES_THROUGH: Readonly<Record<string, RegExp | null>> = {
  grep: /^(?:-[^-]*r|--recursive)/,
  rg: /^(?:-[^-]*[u.]|--hidden|--unrestricted)/,
  cp: /^(?:-[^-]*[rRa]|--recursive|--archive)/,
  mv: null,
};

/**
 * Whether a command would go through a folder that holds `.claws`, the daemon's folder. The files in `.claws` must not
 * be shown or moved.
 */
export function findsPrivate([name, ...words]: readonly string[], { cwd }: VetContext): boolean {
  const flag = name !== undefined && Object.hasOwn(GOES_THROUGH, name) ? GOES_THROUGH[name] : undefined;
  if (flag === undefined || (flag !== null && !words.some((word) => flag.test(word)))) return false;
  const folders = words.map((word) => resolve(cwd, word)).filter((path) => isFolderAt(path));
  return (folders.length === 0 ? [cwd] : folders).some((folder) => entryAt(join(folder, ".claws")) !== null);
}
