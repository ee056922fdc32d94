import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { isProtected } from "./protected-places.ts";

/** A workspace with a repository, whose settings are `config`. */
function makeWorkspace(config: string) {
  const root = realpathSync(temporaryFolder(onTestFinished));
  vi.stubEnv("GIT_CONFIG_GLOBAL", join(root, ".git", "none"));
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git", "config"), config);
  const workspace = { root, extraFolders: [] };
  return { root, isKept: (name: string): boolean => isProtected(join(root, name), workspace) };
}

test.each([".git/config", "sub/.git/hooks/pre-commit", ".CLAW/settings.json", ".claw.json", ".claws/x", "sub/HEAD"])(
  "%s is protected by its name",
  (name) => {
    expect(makeWorkspace("").isKept(name)).toBe(true);
  },
);

test("a folder of hooks in the tree is protected, with the scripts that its hooks call, and nothing beside it", () => {
  const { isKept } = makeWorkspace("[core]\n\thooksPath = .husky/_\n");
  expect([".husky/_/pre-commit", ".husky/pre-commit", ".huskyrc", "src/a.ts"].map(isKept)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("settings that are included are protected, and the programs that those name", () => {
  const { root, isKept } = makeWorkspace("[include]\n\tpath = ../git-settings\n");
  writeFileSync(join(root, "git-settings"), '[diff "x"]\n\ttextconv = tools/show\n');
  expect(["git-settings", "tools/show", "tools/other"].map(isKept)).toEqual([true, true, false]);
});

test("a folder of hooks behind a link is protected where it really is", () => {
  const { root, isKept } = makeWorkspace("[core]\n\thooksPath = hooks\n");
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "hooks"));
  expect([isKept("real/pre-commit"), isKept("other/pre-commit")]).toEqual([true, false]);
});

test("links that lead in a circle protect nothing else", () => {
  const { root, isKept } = makeWorkspace("[core]\n\thooksPath = loop\n");
  symlinkSync("loop", join(root, "loop"));
  expect([isKept("loop"), isKept("a.txt")]).toEqual([true, false]);
});
