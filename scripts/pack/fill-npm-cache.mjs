import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./packed-manifest.mjs";

const execute = promisify(execFile);

/** What an installation of the three packages takes from the registry on this machine, by the lock file: `name@version`. */
function neededPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const needed = new Map();
  const add = (path) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = `node_modules/${name}`;
      const { version, link } = packages[place] ?? {};
      // A binary for another platform is in the lock file, and not installed.
      if (link || needed.has(name) || !existsSync(join(root, place))) continue;
      needed.set(name, version);
      add(place);
    }
  };
  for (const path of Object.keys(packages)) if (/^packages\/[^/]+$/.test(path)) add(path);
  return [...needed].map(([name, version]) => `${name}@${version}`);
}

/** Sees to it that npm's cache has all that an installation needs, so that it can take place without a network. */
export async function fillNpmCache() {
  await execute("npm", ["cache", "add", "--prefer-offline", "--loglevel=error", ...neededPackages()], { cwd: root });
}
