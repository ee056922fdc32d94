import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { readGitState } from "./git-state.ts";

const signal = new AbortController().signal;

function createRepository() {
  const root = temporaryFolder(onTestFinished);
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1", GIT_CEILING_DIRECTORIES: root };
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.com", ...args], {
      cwd: root,
      env,
      stdio: "ignore",
    });
  };
  git("init", "--initial-branch=main");
  const write = (name: string, text = name): void => writeFileSync(join(root, name), text);
  const commit = (): void => {
    git("add", "-A");
    git("commit", "-m", "one");
  };
  return { root, git, write, commit };
}

test("a repository without a commit has a branch", async () => {
  const { root } = createRepository();
  expect(await readGitState(root, signal)).toEqual({ root, branch: "main", state: "clean", changedFiles: 0 });
});

test("a repository without changes is clean, seen from any folder below", async () => {
  const { root, write, commit } = createRepository();
  mkdirSync(join(root, "a"));
  write("a/x");
  commit();
  expect(await readGitState(join(root, "a"), signal)).toEqual({
    root,
    branch: "main",
    state: "clean",
    changedFiles: 0,
  });
});

test("changed, staged, deleted, renamed and new files are counted once each", async () => {
  const { root, write, commit, git } = createRepository();
  for (const name of ["changed", "staged", "1 renamed", "gone"]) write(name, `${name} `.repeat(50));
  commit();
  write("changed", "other");
  write("staged", "other");
  git("add", "staged");
  git("rm", "-q", "gone");
  renameSync(join(root, "1 renamed"), join(root, "new name"));
  git("add", "-A", "1 renamed", "new name");
  write("new\nfile ü");
  expect(await readGitState(root, signal)).toEqual({ root, branch: "main", state: "dirty", changedFiles: 5 });
});

test("a detached head has no branch", async () => {
  const { root, write, commit, git } = createRepository();
  write("x");
  commit();
  git("checkout", "--detach");
  expect(await readGitState(root, signal)).toEqual({ root, branch: null, state: "clean", changedFiles: 0 });
});

test("a folder outside of any repository says so", async () => {
  expect(await readGitState(temporaryFolder(onTestFinished), signal)).toEqual({
    root: null,
    branch: null,
    state: "no_repository",
    changedFiles: 0,
  });
});

test("a link into a repository leads to it", async () => {
  const { root } = createRepository();
  mkdirSync(join(root, "a"));
  const link = join(temporaryFolder(onTestFinished), "link");
  symlinkSync(join(root, "a"), link);
  expect(await readGitState(link, signal)).toEqual({ root, branch: "main", state: "clean", changedFiles: 0 });
});

test("a folder that is gone leaves the state unknown, and a caller who gives up is told so", async () => {
  const unknown = { root: null, branch: null, state: "unknown", changedFiles: 0 };
  expect(await readGitState("/nowhere/at/all", signal)).toEqual(unknown);
  const caller = new AbortController();
  const reading = readGitState(createRepository().root, caller.signal);
  // The command is started once its module is there; the next turn of the loop is soon enough to give up.
  await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
