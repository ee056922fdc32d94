import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILD = join("scripts", "build.mjs");

const MINIFIED = "minify: true";
/** Without blanks, because comments of some packages are not ASCII. */
const READABLE = 'minifyWhitespace: true, sourcemap: "inline", sourcesContent: false';

/** Makes the build script of a tree keep the names of functions, and say which file each function is from. */
function keepNames(folder: string): void {
  const path = join(folder, BUILD);
  const script = readFileSync(path, "utf8");
  if (!script.includes(MINIFIED)) throw new Error(`${path} has no "${MINIFIED}"`);
  writeFileSync(path, script.replaceAll(MINIFIED, READABLE));
}

/**
 * Checks a revision out into a folder and builds it there; `readable` with names and source maps. The caller takes it
 * away with `removeRevision`.
 */
export function buildRevision(revision: string, folder: string, { readable = false } = {}): void {
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", folder, revision], { cwd: ROOT, stdio: "inherit" });
  if (readable) keepNames(folder);
  execFileSync(process.execPath, ["scripts/setup.mjs"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

export const removeRevision = (folder: string): void =>
  void execFileSync("git", ["worktree", "remove", "--force", folder], { cwd: ROOT });
