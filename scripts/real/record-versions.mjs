import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pinned } from "./install.mjs";

const DOCUMENT = fileURLToPath(new URL("../../docs/harness.md", import.meta.url));
const BLOCK = /(<!-- real CLIs: written by npm run test:real -->\n)[\s\S]*?(<!-- end -->)/;

/** Writes into the documentation which versions the tests against real CLIs have passed with. */
export function recordVersions(passedOn) {
  const rows = Object.values(pinned()).map(({ package: name, version }) => `| \`${name}\` | ${version} |`);
  const on = `${process.platform} ${process.arch}, Node ${process.versions.node}, ${passedOn}`;
  const table = ["| Package | Passed with |", "|---|---|", ...rows, "", `Last passed on ${on}.`, ""].join("\n");
  const text = readFileSync(DOCUMENT, "utf8");
  if (!BLOCK.test(text)) throw new Error("docs/harness.md has no place for the versions");
  writeFileSync(DOCUMENT, text.replace(BLOCK, `$1${table}$2`));
}
