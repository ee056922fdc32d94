import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { withoutPrograms } from "./git-settings.ts";
import { runGit } from "./run-git.ts";

const never = new AbortController().signal;
const LIMITS = { timeoutMs: 100_000, maxOutputBytes: 100_000 };

/** A repository with a changed file, and a program that leaves a mark. */
function prepare() {
  const base = temporaryFolder(onTestFinished);
  const [cwd, evil, mark] = [join(base, "tree"), join(base, "evil"), join(base, "ran")];
  const git = (place: string, ...args: string[]): void => {
    const identity = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, ...args], { cwd: place, stdio: "ignore" });
  };
  const makeTree = (place: string): void => {
    mkdirSync(place);
    git(place, "init", "-b", "main");
    writeFileSync(join(place, "f"), "a\n");
    git(place, "add", "f");
    git(place, "commit", "-m", "first");
  };
  /** Changes the file so that only its text tells. */
  const change = (place: string): void => {
    writeFileSync(join(place, "f"), "b\n");
    utimesSync(join(place, "f"), 1, 1);
  };
  const arm = (place: string): void => {
    for (const key of ["filter.x.clean", "filter.a=b.clean", "core.fsmonitor"]) git(place, "config", key, evil);
    git(place, "config", "filter.x.required", "true");
    writeFileSync(join(place, ".git", "info", "attributes"), "f filter=x\n");
  };
  writeFileSync(evil, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(evil, 0o755);
  makeTree(cwd);
  return { cwd, evil, git, makeTree, change, arm, hasRun: () => existsSync(mark) };
}

test("filters and monitors of a repository are not started, and changes are seen", async () => {
  const { cwd, change, arm, hasRun } = prepare();
  arm(cwd);
  change(cwd);
  const status = await runGit({ args: ["status", "--short"], cwd, ...LIMITS }, never);
  const diff = await runGit({ args: ["diff"], cwd, ...LIMITS }, never);
  expect(status).toEqual({ kind: "exited", code: 0, stdout: " M f\n" });
  expect(diff).toMatchObject({ code: 0, stdout: expect.stringContaining("+b") as string });
  expect(hasRun()).toBe(false);
});

test("nor are those of a repository in it", async () => {
  const { cwd, git, makeTree, change, arm, hasRun } = prepare();
  const nested = join(cwd, "nested");
  makeTree(nested);
  git(cwd, "add", "nested");
  writeFileSync(join(cwd, ".gitmodules"), '[submodule "nested"]\n\tpath = nested\n\turl = x\n\tignore = none\n');
  arm(nested);
  change(nested);
  const status = await runGit({ args: ["status", "--short"], cwd, ...LIMITS }, never);
  expect(status).toEqual({ kind: "exited", code: 0, stdout: "A  nested\n?? .gitmodules\n" });
  expect(await runGit({ args: ["diff"], cwd, ...LIMITS }, never)).toMatchObject({ code: 0 });
  expect(hasRun()).toBe(false);
});

test("a folder that only looks like a repository is none", async () => {
  const { cwd, git } = prepare();
  const bare = join(cwd, "bare");
  mkdirSync(bare);
  git(bare, "init", "--bare");
  expect(await runGit({ args: ["rev-parse", "--git-dir"], cwd: bare, ...LIMITS }, never)).not.toMatchObject({
    code: 0,
  });
});

test("a program of the user's own settings is started in place of one that the folder puts under its name", async () => {
  const { cwd, evil, git, change, hasRun } = prepare();
  const [program, settings] = [join(cwd, "..", "own"), join(cwd, "..", "settings")];
  writeFileSync(program, `#!/bin/sh\ntouch ${program}.ran\ncat\n`);
  chmodSync(program, 0o755);
  writeFileSync(settings, `[filter "x"]\n\tclean = ${program}\n`);
  git(cwd, "config", "filter.x.clean", evil);
  writeFileSync(join(cwd, ".git", "info", "attributes"), "f filter=x\n");
  change(cwd);
  const env = { GIT_CONFIG_GLOBAL: settings };
  expect(await runGit({ args: ["status", "--short"], cwd, env, ...LIMITS }, never)).toMatchObject({ code: 0 });
  expect([existsSync(`${program}.ran`), hasRun()]).toEqual([true, false]);
});

test("a folder with more settings than can be overridden is not asked", async () => {
  const { cwd, change, arm, hasRun } = prepare();
  arm(cwd);
  change(cwd);
  const config = join(cwd, ".git", "config");
  const many = Array.from({ length: 9000 }, (_, index) => `[filter "a${index}"]\n\tclean = some-program\n`);
  writeFileSync(config, many.join("") + readFileSync(config, "utf8"));
  const limits = { ...LIMITS, maxOutputBytes: 1000 };
  expect(await runGit({ args: ["status", "--short"], cwd, ...limits }, never)).toEqual({ kind: "not-started" });
  expect(hasRun()).toBe(false);
});

test("hooks that settings name are put out of force by their name", () => {
  const listing = [
    "local",
    "hook.x.command\n./evil",
    "global",
    "filter.lfs.required\ntrue",
    "local",
    "filter.lfs.required",
  ];
  expect(withoutPrograms(`${listing.join("\0")}\0`)).toEqual({
    "hook.x.enabled": "false",
    "filter.lfs.required": "true",
  });
});
