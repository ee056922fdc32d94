import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const isProduct = (path) => path.endsWith(".ts") && !/\.(test|conformance|generated|d)\.ts$|\/testing\//.test(path);

/** Every file of the product below a path, in a stable order. */
export function sourcesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return isProduct(path) ? [path] : [];
  const names = readdirSync(join(root, path)).filter((name) => name !== "node_modules" && name !== "dist");
  return names.toSorted((a, b) => (a < b ? -1 : 1)).flatMap((name) => sourcesBelow(root, join(path, name)));
}

/** The tests of a file, nearest first: the one beside it, those of its folder, those of the module it belongs to. */
export function testsOf(root, path) {
  const beside = path.replace(/\.ts$/, ".test.ts");
  const module = /^packages\/[^/]+\/src\/[^/]+\//.exec(path)?.[0];
  const folders = new Set([`${dirname(path)}/`, ...(module === undefined ? [] : [module])]);
  return [...(existsSync(join(root, beside)) ? [beside] : []), ...folders];
}
