import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("..", import.meta.url));

/** A page's program in one script, as a bundler for browsers makes it. `claw-client` is this package. */
export async function bundlePage(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: source, loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
