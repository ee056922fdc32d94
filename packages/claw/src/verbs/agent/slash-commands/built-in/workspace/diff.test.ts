import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../files/testing/temporary-folder.ts";
import { PLAIN_PAINT } from "../../../../runtime/paint.ts";
import { createTestPorts } from "../../../../testing/test-ports.ts";
import { diffCommand } from "./diff.ts";
import { createVerbCaller } from "../../execute-command.ts";

const git = (cwd: string, ...args: readonly string[]): void =>
  void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], { cwd });

function createRepository(): string {
  const cwd = temporaryFolder(onTestFinished);
  git(cwd, "init", "--quiet");
  return cwd;
}

function show(cwd: string, signal = new AbortController().signal) {
  const ports = createTestPorts(cwd);
  const context = { ports, session: null, commands: [], paint: PLAIN_PAINT, dryRun: false };
  return diffCommand.run("", { ...context, ...createVerbCaller(ports, PLAIN_PAINT) }, signal);
}

test("changes since the last commit are shown, and files that git does not know", async () => {
  const cwd = createRepository();
  writeFileSync(join(cwd, "a.txt"), "one\n");
  git(cwd, "add", ".");
  git(cwd, "commit", "--quiet", "-m", "first");
  expect(await show(cwd)).toEqual({ handled: true, message: "Nothing has changed.", effect: "noop" });
  writeFileSync(join(cwd, "a.txt"), "two\n");
  writeFileSync(join(cwd, "b.txt"), "new\n");
  const { message } = await show(cwd);
  expect(message).toContain("-one\n+two");
  expect(message).toContain("Not in git yet:\nb.txt");
});

test("before the first commit, what was added counts as changed", async () => {
  const cwd = createRepository();
  writeFileSync(join(cwd, "a.txt"), "one\n");
  git(cwd, "add", ".");
  expect((await show(cwd)).message).toContain("+one");
});

test("a long diff is cut and says so", async () => {
  const cwd = createRepository();
  writeFileSync(join(cwd, "long.txt"), "line\n".repeat(LIMITS.diffBytes / 4));
  git(cwd, "add", ".");
  const { message } = await show(cwd);
  expect(message.length).toBeLessThan(LIMITS.diffBytes + 200);
  expect(message).toContain("cut after");
});

test("no program that the repository names is started", async () => {
  const cwd = createRepository();
  const trap = join(cwd, ".git", "sprung");
  git(cwd, "config", "core.fsmonitor", `touch ${trap};:`);
  git(cwd, "config", "diff.external", `touch ${trap};:`);
  git(cwd, "config", "diff.trap.textconv", `touch ${trap};:`);
  writeFileSync(join(cwd, ".gitattributes"), "* diff=trap\n");
  git(cwd, "-c", "core.fsmonitor=false", "add", ".");
  expect((await show(cwd)).message).toContain("+* diff=trap");
  expect(existsSync(trap)).toBe(false);
});

test("without a repository nothing is done", async () => {
  expect(await show(temporaryFolder(onTestFinished))).toMatchObject({ handled: false, effect: "noop" });
});

test("a call that is stopped ends with why", async () => {
  const reason = new Error("stopped");
  await expect(show(createRepository(), AbortSignal.abort(reason))).rejects.toBe(reason);
});
