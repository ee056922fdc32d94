import { join, resolve } from "node:path";
import { entryAt, isFolderAt } from "../entry-at.ts";
import type { VetContext } from "./vet-paths.ts";

/** Which words make a command go through folders, also through those nobody named. */
const GOES_THROUGH: Readonly<Record<string, RegExp | null>> = {
  grep: /^(?:-[^-]*r|--recursive)/,
  rg: /^(?:-[^-]*[u.]|--hidden|--unrestricted)/,
  cp: /^(?:-[^-]*[rRa]|--recursive|--archive)/,
  mv: null,
};

/** Whether a command would go through a folder that holds the daemon's, whose files are not to be shown or moved. */
export function findsPrivate([name, ...words]: readonly string[], { cwd }: VetContext): boolean {
  const flag = name !== undefined && Object.hasOwn(GOES_THROUGH, name) ? GOES_THROUGH[name] : undefined;
  if (flag === undefined || (flag !== null && !words.some((word) => flag.test(word)))) return false;
  const folders = words.map((word) => resolve(cwd, word)).filter((path) => isFolderAt(path));
  return (folders.length === 0 ? [cwd] : folders).some((folder) => entryAt(join(folder, ".claws")) !== null);
}
