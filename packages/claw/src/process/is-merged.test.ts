import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { AskedRepository } from "./is-merged.ts";
import { isMerged } from "./is-merged.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });

const askGit: AskedRepository["askGit"] = async (cwd, args, { env } = {}) => {
  const { status, stdout } = spawnSync("git", args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
  return { ok: status === 0, code: status, text: stdout };
};

function commit(path: string, file: string, text: string): void {
  writeFileSync(join(path, file), text);
  git(path, "add", file);
  git(path, "commit", "-q", "-m", file);
}

/** A repository whose branch `work` has a commit of its own, with `main` checked out. */
function makeRepository(): string {
  const path = temporaryFolder(onTestFinished);
  git(path, "init", "-q", "-b", "main");
  commit(path, "a", "one\n");
  git(path, "checkout", "-q", "-b", "work");
  commit(path, "a", "two\n");
  git(path, "checkout", "-q", "main");
  return path;
}

const CASES: readonly (readonly [name: string, expected: boolean, act: (path: string) => void])[] = [
  ["nobody took them", false, () => undefined],
  ["they were merged", true, (path) => git(path, "merge", "-q", "work")],
  [
    "they were squashed behind another commit",
    true,
    (path) => {
      commit(path, "b", "b\n");
      git(path, "merge", "-q", "--squash", "work");
      git(path, "commit", "-q", "-m", "squashed");
    },
  ],
  ["the branch changed other files", false, (path) => commit(path, "b", "b\n")],
  ["the branch changed the same line", false, (path) => commit(path, "a", "three\n")],
];

test.each(CASES)(
  "commits are looked for on a branch where %s: %s, and no object is left",
  async (_name, expected, act) => {
    const path = makeRepository();
    act(path);
    const objects = (): string[] =>
      readdirSync(join(path, ".git", "objects"), { recursive: true })
        .map(String)
        .toSorted();
    const before = objects();
    expect(await isMerged({ path, askGit }, "work", ["main"])).toBe(expected);
    expect(objects()).toEqual(before);
  },
);
