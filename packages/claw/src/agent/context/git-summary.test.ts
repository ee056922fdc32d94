import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { readGitSummary } from "./git-summary.ts";

const never = new AbortController().signal;

function repository(): { cwd: string; git: (...args: string[]) => void } {
  const cwd = temporaryFolder(onTestFinished);
  const identity = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "commit.gpgsign=false"];
  const git = (...args: string[]): void => void execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
  git("init", "-b", "main");
  return { cwd, git };
}

test("a summary has the branch, the changes and the last commits", async () => {
  const { cwd, git } = repository();
  for (const number of [1, 2, 3, 4, 5, 6]) git("commit", "--allow-empty", "-m", `change ${number}\n\nbody`);
  writeFileSync(join(cwd, "new.txt"), "");
  const summary = await readGitSummary(cwd, never);
  expect(summary).toEqual({
    branch: "main",
    changes: ["?? new.txt"],
    commits: [6, 5, 4, 3, 2].map(
      (number) => expect.stringMatching(new RegExp(`^[0-9a-f]{7,} change ${number}$`)) as string,
    ),
  });
});

test("a repository without commits has none", async () => {
  const { cwd } = repository();
  expect(await readGitSummary(cwd, never)).toEqual({ branch: "No commits yet on main", changes: [], commits: [] });
});

test("many changes are counted, long lines cut, and control characters shown as blanks", async () => {
  const { cwd, git } = repository();
  git("commit", "--allow-empty", "-m", `\u001b[31mred ${"x".repeat(300)}`);
  for (let number = 0; number < LIMITS.gitStatusLines + 7; number += 1) writeFileSync(join(cwd, `f${number}`), "");
  const summary = await readGitSummary(cwd, never);
  expect(summary?.changes.slice(-1)).toEqual(["… and 7 more"]);
  expect(summary?.commits[0]).toMatch(/^[0-9a-f]+ {2}\[31mred x+…$/);
});

test("without a repository there is none", async () => {
  expect(await readGitSummary(temporaryFolder(onTestFinished), never)).toBeNull();
});

test("a program that the repository's configuration names is not started", async () => {
  const { cwd, git } = repository();
  const canary = join(temporaryFolder(onTestFinished), "canary");
  git("config", "core.fsmonitor", `touch ${canary}; false`);
  await readGitSummary(cwd, never);
  expect(existsSync(canary)).toBe(false);
});

test("an abort is what it rejects with", async () => {
  await expect(readGitSummary(repository().cwd, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
