import { DEFAULT_TOOLS, OLD_TOOLS, VERBS } from "claw-contract/schemas";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PAGE = readFileSync(fileURLToPath(new URL("../../../../../docs/mcp-old-tools.md", import.meta.url)), "utf8");

const ROWS = [...PAGE.matchAll(/^\| `(claws_\w+)` \| `([^`]+)` \|/gm)].map(([, old = "", today = ""]) => ({
  old,
  today,
}));

test("the page lists each tool of claws 0.8 once", () => {
  const tools = [...Object.keys(OLD_TOOLS), "claws_send", "claws_publish", "claws_done"];
  expect(ROWS.map(({ old }) => old).toSorted()).toEqual(tools.toSorted());
});

test("the page leads from each of them to a tool of the default set, or to a command", () => {
  const known = new Set([...Object.keys(DEFAULT_TOOLS), ...Object.keys(VERBS).map((verb) => `claw ${verb}`)]);
  expect(ROWS.filter(({ today }) => !known.has(today))).toEqual([]);
});
