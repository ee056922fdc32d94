import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Packs a folder as npm does: sorted, without times, owners and scripts. Resolves with the tarball's path. */
export async function makeTarball(folder, out) {
  const flags = ["--json", "--ignore-scripts", "--offline", "--loglevel=error", "--pack-destination", out];
  const { stdout } = await execute("npm", ["pack", ...flags], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  const answer = JSON.parse(stdout);
  const [{ filename }] = Array.isArray(answer) ? answer : Object.values(answer);
  return join(out, filename);
}
