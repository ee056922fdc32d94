import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

/**
 * Tables of the contract that other tables are spread into, by the file that exports them. A start would put them
 * together entry by entry, in each of claw's processes; the build does it once. Serves the rows of `cold-start`, and
 * `claw spawn until boot` of `workers`.
 */
const TABLES = {
  "packages/contract/src/limits/limits.ts": "LIMITS",
  "packages/contract/src/errors/error-table.ts": "ERRORS",
};

/** A table as one literal. Throws when a value of it is no JSON. */
function literalOf(table, name) {
  const text = JSON.stringify(table);
  if (!isDeepStrictEqual(JSON.parse(text), table)) throw new Error(`${name} holds a value that is no JSON`);
  return text;
}

/** Puts the tables into a bundle as they are when they have been worked out. */
export const workedOutTables = (root, bundle) => ({
  name: "worked-out-tables",
  setup(pipeline) {
    const names = new Map(Object.entries(TABLES).map(([path, name]) => [join(root, path), name]));
    pipeline.onLoad({ filter: /[\\/](?:limits|error-table)\.ts$/ }, async ({ path }) => {
      const name = names.get(path);
      if (name === undefined) return undefined;
      const { outputFiles } = await bundle({ entryPoints: [path], bundle: true, write: false, format: "esm" });
      const code = Buffer.from(outputFiles[0].contents).toString("base64");
      const module = await import(`data:text/javascript;base64,${code}`);
      return { contents: `export const ${name} = ${literalOf(module[name], name)};` };
    });
  },
});
