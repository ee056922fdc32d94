import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Puts a program and everything it imports into one file in a folder. Resolves with the file's path. Such a file starts
 * much sooner than sources that Node has to translate first.
 */
export async function bundleProgram(source: URL, folder: string): Promise<string> {
  const outfile = join(folder, "program.cjs");
  const entryPoints = [fileURLToPath(source)];
  await build({ entryPoints, outfile, bundle: true, platform: "node", target: "node20", logLevel: "error" });
  return outfile;
}
