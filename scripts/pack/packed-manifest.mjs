import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** Where a source of a package is, once it is built: `./src/index.ts` is `./dist/index.js`. */
const builtPath = (source, extension) => source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, extension);

/** One entry of `exports`. What needs Node is no entry for browsers: their bundlers name the import that is wrong. */
function packedEntry(name, source) {
  const types = builtPath(source, ".d.ts");
  const code = builtPath(source, ".js");
  return { types, browser: name === "./node" ? null : code, default: code };
}

function packedExports(exports) {
  const entries = Object.entries(exports).map(([name, source]) => [name, packedEntry(name, source)]);
  return { ...Object.fromEntries(entries), "./package.json": "./package.json" };
}

/** The manifest of the tarball, from the one in the repository, which points at the sources. */
export function packedManifest(name, files) {
  const { private: _private, devDependencies: _development, exports, ...manifest } = manifestOf(name);
  return {
    ...manifest,
    ...(exports === undefined ? {} : { exports: packedExports(exports), types: builtPath(exports["."], ".d.ts") }),
    files,
  };
}
