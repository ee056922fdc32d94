import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { readNumbers, treeChanges, treeDiff } from "./tree-changes.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });

test("the changes of a tree are those of commits, of files that changed since, and of files that git does not know", async () => {
  const path = temporaryFolder(onTestFinished);
  git(path, "init", "-q", "-b", "main");
  for (const name of ["kept", "changed", "gone"]) writeFileSync(join(path, name), "one\ntwo\n");
  writeFileSync(join(path, ".gitignore"), "ignored\n");
  git(path, "add", ".");
  git(path, "commit", "-q", "-m", "first");
  const base = git(path, "rev-parse", "HEAD").trim();
  writeFileSync(join(path, "committed"), "x\n");
  git(path, "add", ".");
  git(path, "commit", "-q", "-m", "second");
  writeFileSync(join(path, "changed"), "one\n2\n3\n");
  rmSync(join(path, "gone"));
  for (const name of [":(top)new", "ignored"]) writeFileSync(join(path, name), "a\nb\n");
  const index = readFileSync(join(path, ".git", "index"));
  expect(await treeChanges({ path, base })).toEqual({
    files: [
      { path: ":(top)new", insertions: 2, deletions: 0 },
      { path: "changed", insertions: 2, deletions: 1 },
      { path: "committed", insertions: 1, deletions: 0 },
      { path: "gone", insertions: 0, deletions: 2 },
    ],
    uncommitted: ["changed", "gone", ":(top)new"],
    commits: [{ sha: git(path, "rev-parse", "HEAD").trim(), subject: "second" }],
  });
  expect(await treeDiff({ path, base }, 10_000)).toContain("+++ b/:(top)new");
  expect(readFileSync(join(path, ".git", "index"))).toEqual(index);
  expect(await treeChanges({ path, base: "nothing" })).toBeNull();
});

test("files that are no text have no lines, and an entry that was cut off does not count", () => {
  expect(readNumbers("-\t-\tpicture\x001\t2\ta\tb\x003\t4\tcut")).toEqual([
    { path: "picture", insertions: null, deletions: null },
    { path: "a\tb", insertions: 1, deletions: 2 },
  ]);
});
