import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { scanTree } from "./scan-tree.ts";
import { surveyTrees } from "./survey-trees.ts";

function makeTree(files: readonly string[]): string {
  const root = temporaryFolder(onTestFinished);
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "");
  }
  return root;
}

test("more files than can be kept are told, and those of installed packages go last", () => {
  const many = Array.from({ length: LIMITS.sandboxKeptFiles }, (_, index) => `node_modules/x/${index}.pem`);
  const root = makeTree([...many, "very/deep/in/the/project/key.pem"]);
  const kept = { hidden: [], fixed: [], hides: (path: string) => path.endsWith(".pem") };
  const survey = surveyTrees({ root, extraFolders: [] }, { cwd: root, writable: false, kept });
  expect(survey.kept.hidden).toHaveLength(many.length);
  expect(survey.kept.hidden[0]).toBe(join(root, "very/deep/in/the/project/key.pem"));
  expect(survey.notes).toEqual([
    `${many.length + 1} files fit patterns of the rules; only ${many.length} of them were kept from the command`,
  ]);
});

test("nothing is looked at where nothing is looked for", () => {
  const survey = surveyTrees({ root: "/nowhere", extraFolders: [] }, { cwd: "/nowhere", writable: false });
  expect(survey.kept).toEqual({ hidden: [], fixed: [] });
});

test("a tree is searched from its top, without links and git's own folders, up to a limit of names", () => {
  const root = makeTree(["a/b/c", ".git/objects/x", "d"]);
  symlinkSync(root, join(root, "a", "loop"));
  const seen: string[] = [];
  const look = ({ path }: { path: string }): void => void seen.push(path.slice(root.length));
  expect(scanTree(root, look)).toBe(true);
  expect(seen).toEqual(["", "/a", "/a/b"]);
  // Three names at the top, two in `a`, one in `b`.
  expect([scanTree(root, look, 6), scanTree(root, look, 5)]).toEqual([true, false]);
});
