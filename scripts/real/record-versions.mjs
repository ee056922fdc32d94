import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DOCUMENT = fileURLToPath(new URL("../../docs/harness.md", import.meta.url));
const BLOCK = /(<!-- real CLIs: written by npm run test:real -->\n)([\s\S]*?)(<!-- end -->)/;
const HEAD = ["| Package | Version | Passed on |", "|---|---|---|"];

/** What a row is about. */
const subjectOf = (row) => row.split("|").slice(1, 3).join("|");

/** Adds to the documentation that the tests against real CLIs have passed with these versions. */
export function recordVersions(clis, passedOn) {
  const on = `${passedOn}, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const passed = Object.values(clis).map(({ package: name, version }) => `| \`${name}\` | ${version} | ${on} |`);
  const text = readFileSync(DOCUMENT, "utf8");
  const [, , table] = BLOCK.exec(text) ?? [];
  if (table === undefined) throw new Error("docs/harness.md has no place for the versions");
  const known = table.split("\n").filter((line) => line.startsWith("| `"));
  const rows = new Map([...known, ...passed].map((row) => [subjectOf(row), row]));
  const lines = [...HEAD, ...[...rows.values()].toSorted(), ""];
  writeFileSync(
    DOCUMENT,
    text.replace(BLOCK, (_block, before, _table, after) => `${before}${lines.join("\n")}${after}`),
  );
}
