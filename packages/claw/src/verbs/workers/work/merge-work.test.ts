import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MergeStrategy } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { carryOut, commitAll, planMerge } from "./merge-work.ts";

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function commit(cwd: string, name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
  git(cwd, "add", name);
  git(cwd, "commit", "-q", "-m", `${name}: ${text.trim()}`);
}

/** A repository, and beside it a worktree of a worker with two commits, while the repository got one more. */
function prepare(strategy: MergeStrategy) {
  const base = temporaryFolder(onTestFinished);
  const [repository, path] = [join(base, "repository"), join(base, "w")];
  git(base, "init", "-q", "-b", "main", repository);
  for (const [key, value] of [
    ["user.name", "Person"],
    ["user.email", "p@example.test"],
  ] as const) {
    git(repository, "config", key, value);
  }
  commit(repository, "a", "1\n2\n3\n");
  git(repository, "worktree", "add", "-q", "-b", "claw/w", path);
  const start = git(repository, "rev-parse", "HEAD");
  commit(path, "b", "b\n");
  commit(path, "c", "c\n");
  commit(repository, "d", "d\n");
  const worktree = { path, branch: "claw/w", base: start, from: "main", repository, port: null };
  return { repository, path, request: { name: "w", worktree, strategy, message: "the work of w" } };
}

const facts = (repository: string): string[] => [
  git(repository, "for-each-ref", "--format=%(refname) %(objectname)"),
  git(repository, "status", "--porcelain"),
  git(repository, "rev-parse", "HEAD"),
];

test.each([
  ["merge", ["the work of w", "c: c", "b: b"]],
  ["squash", ["the work of w"]],
  ["rebase", ["c: c", "b: b"]],
] as const)("%s brings the work into the branch and its working tree", async (strategy, subjects) => {
  const { repository, request } = prepare(strategy);
  const before = git(repository, "rev-parse", "main");
  const objects = git(repository, "count-objects", "-v");
  expect(await planMerge(request)).toMatchObject({ commitsCount: 2, files: ["b", "c"] });
  expect([git(repository, "rev-parse", "main"), git(repository, "count-objects", "-v")]).toEqual([before, objects]);
  const plan = await carryOut(request);
  expect(plan).toMatchObject({ onto: "main", before, commitsCount: 2, files: ["b", "c"] });
  expect(git(repository, "log", "--topo-order", "--format=%s", `${before}..main`).split("\n")).toEqual(subjects);
  expect(git(repository, "status", "--porcelain")).toBe("");
  expect(readFileSync(join(repository, "c"), "utf8")).toBe("c\n");
  expect(await planMerge(request)).toMatchObject({ before: plan.commit, commit: plan.commit, files: [] });
});

test.each(["merge", "squash", "rebase"] as const)("a conflict of %s leaves everything as it was", async (strategy) => {
  const { repository, path, request } = prepare(strategy);
  commit(path, "a", "1\nworker\n3\n");
  commit(repository, "a", "1\nperson\n3\n");
  writeFileSync(join(repository, "mine"), "mine\n");
  const before = facts(repository);
  await expect(planMerge(request)).rejects.toMatchObject({
    code: "MERGE_CONFLICT",
    message: "claw/w and main change the same lines: a",
  });
  expect(facts(repository)).toEqual(before);
  expect(existsSync(join(repository, ".git", "MERGE_HEAD"))).toBe(false);
});

test("changes in the working tree that would be lost stop it, and are kept", async () => {
  const { repository, path, request } = prepare("merge");
  commit(path, "a", "worker\n");
  writeFileSync(join(repository, "a"), "mine\n");
  writeFileSync(join(repository, "b"), "mine too\n");
  const before = facts(repository);
  await expect(carryOut(request)).rejects.toMatchObject({ code: "WORKTREE_FAILED" });
  expect(facts(repository)).toEqual(before);
  expect(readFileSync(join(repository, "a"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(repository, "b"), "utf8")).toBe("mine too\n");
});

test("a branch that is not checked out is moved alone", async () => {
  const { repository, request } = prepare("squash");
  git(repository, "switch", "-q", "-c", "other");
  const { commit: made } = await carryOut(request);
  expect(git(repository, "rev-parse", "main")).toBe(made);
  expect(existsSync(join(repository, "b"))).toBe(false);
});

test("programs that merge files, named by the repository's settings, are not started", async () => {
  const { repository, path, request } = prepare("merge");
  const mark = join(repository, "..", "ran");
  git(repository, "config", "merge.evil.driver", `touch ${mark}`);
  git(repository, "config", "core.hooksPath", repository);
  writeFileSync(join(repository, "post-merge"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  commit(path, ".gitattributes", "* merge=evil\n");
  commit(repository, "a", "1\n2\nperson\n");
  commit(path, "a", "worker\n2\n3\n");
  git(repository, "config", "core.attributesFile", join(path, ".gitattributes"));
  await expect(planMerge(request)).rejects.toMatchObject({ code: "MERGE_CONFLICT" });
  expect(existsSync(mark)).toBe(false);
});

test("what is not committed in a worktree can be committed, new files included", async () => {
  const { path, request } = prepare("merge");
  writeFileSync(join(path, "b"), "changed\n");
  writeFileSync(join(path, "new"), "new\n");
  await commitAll(request, "the rest");
  expect(git(path, "status", "--porcelain")).toBe("");
  expect(git(path, "show", "--format=%s", "--name-only", "HEAD")).toBe("the rest\n\nb\nnew");
});
