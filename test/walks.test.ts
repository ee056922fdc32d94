import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./architecture/source-tree.ts";

const page = readFileSync(join(ROOT, "docs/walks.md"), "utf8");

const rows = [...page.matchAll(/^\| \d+ \| `(\w+)` \| `([\w./-]+)` \|/gm)].map(
  ([, name = "", path = ""]) => [name, path] as const,
);

const fileOf = (path: string): string =>
  /^(client|contract)\//.test(path)
    ? join(ROOT, "packages", path.replace("/", "/src/"))
    : join(ROOT, "packages/claw/src", path);

test("every row of the walks is a hop", () => {
  expect(rows.length).toBe([...page.matchAll(/^\| \d+ \|/gm)].length);
});

test.each(rows)("the walk passes %s in %s", (name, path) => {
  const file = fileOf(path);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  expect(text).toMatch(new RegExp(`(function|const|async function) ${name}\\b`));
});
