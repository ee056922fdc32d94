import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";

/** Removes a file, or a folder with all in it. Nothing happens when there is none. */
export function removeTree(fs: FileSystem, path: string): void {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) return fs.unlinkSync(path);
  for (const name of fs.readdirSync(path)) removeTree(fs, join(path, name));
  fs.rmdirSync(path);
}
