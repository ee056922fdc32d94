import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Ended } from "../../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { fillNpmCache } from "../../scripts/pack/fill-npm-cache.mjs";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

const execute = promisify(execFile);

/** A project of somebody else: a folder with the packages installed, outside of the repository. */
export interface OutsideProject {
  readonly folder: string;
  /** Writes a file of the project. */
  write(path: string, text: string): void;
  /** Runs a program to its end, with nothing of the developer's settings. */
  run(file: string, ...args: string[]): Promise<Ended>;
  /** Runs the installed `claw`. */
  claw(...args: string[]): Promise<Ended>;
}

/** Installs tarballs into an empty project, as without a network: from npm's cache alone. */
export async function createOutsideProject(base: string, tarballs: readonly string[]): Promise<OutsideProject> {
  const [folder, home] = [join(base, "project"), join(base, "home")];
  for (const path of [folder, home]) mkdirSync(path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", JSON.stringify({ name: "outside", version: "1.0.0", private: true, type: "module" }));
  await fillNpmCache();
  const flags = ["--offline", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await execute("npm", ["install", ...flags, ...tarballs], { cwd: folder });
  const { PATH, XDG_CACHE_HOME } = process.env;
  const env = { PATH, XDG_CACHE_HOME, HOME: home, LANG: "C.UTF-8", GIT_CEILING_DIRECTORIES: base };
  const run = (file: string, ...args: string[]): Promise<Ended> =>
    outputOf(spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] }));
  return { folder, write, run, claw: (...args) => run(join(folder, "node_modules/.bin/claw"), ...args) };
}
