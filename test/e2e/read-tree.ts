import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every path under a folder with what it holds, so that two moments can be compared byte for byte. */
export function readTree(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(paths.map((path) => [path, describe(join(folder, path))]));
}

function describe(path: string): string {
  const stats = lstatSync(path);
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stats.isFile()) return `special ${stats.mode.toString(8)}`;
  return `file ${stats.mode.toString(8)} ${readFileSync(path, "base64")}`;
}
