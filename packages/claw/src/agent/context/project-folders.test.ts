import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { isWithin, projectFolders } from "./project-folders.ts";

test("the folders of a project go from its repository down to the working folder", () => {
  const base = temporaryFolder(onTestFinished);
  mkdirSync(join(base, "repo/a/b"), { recursive: true });
  mkdirSync(join(base, "repo/.git"));
  const all = [join(base, "repo"), join(base, "repo/a"), join(base, "repo/a/b")];
  expect(projectFolders(join(base, "repo/a/b"))).toEqual(all);
  expect(projectFolders(join(base, "repo"))).toEqual(all.slice(0, 1));
  symlinkSync(join(base, "repo/a/b"), join(base, "link"));
  expect(projectFolders(join(base, "link"))).toEqual(all);
});

test("a working tree, whose .git is a file, is a repository too, and the nearest one counts", () => {
  const base = temporaryFolder(onTestFinished);
  mkdirSync(join(base, "outer/inner/x"), { recursive: true });
  mkdirSync(join(base, "outer/.git"));
  writeFileSync(join(base, "outer/inner/.git"), "gitdir: elsewhere");
  expect(projectFolders(join(base, "outer/inner/x"))).toEqual([join(base, "outer/inner"), join(base, "outer/inner/x")]);
});

test("without a repository the working folder is all", () => {
  const base = temporaryFolder(onTestFinished);
  // The temporary folder may itself lie in a repository; only what is asked for lies in none.
  const looked: string[] = [];
  const nothing = (path: string): boolean => {
    looked.push(path);
    return false;
  };
  expect(projectFolders(base, nothing)).toEqual([base]);
  expect(looked.slice(0, 2)).toEqual([join(base, ".git"), join(dirname(base), ".git")]);
  expect(projectFolders(join(base, "missing"), nothing)).toEqual([join(base, "missing")]);
});

test.each([
  ["/a", "/a", true],
  ["/a/b", "/a", true],
  ["/a/..b", "/a", true],
  ["/ab", "/a", false],
  ["/", "/a", false],
  ["/a", "/", true],
])("%s is within %s: %s", (path, folder, within) => {
  expect(isWithin(path, folder)).toBe(within);
});
