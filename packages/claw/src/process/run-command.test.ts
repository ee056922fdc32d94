import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { identifySelf, isRunning } from "./process-identity.ts";
import { processList } from "./system/process-list.ts";
import type { CommandRequest, CommandResult } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

/** Longer than late output of an ended command is waited for. */
const HELD_UP_MS = 500;

const patient = new AbortController().signal;

const run = (script: string, options: Partial<CommandRequest> = {}, signal = patient): Promise<CommandResult> =>
  runCommand({ argv: ["sh", "-c", script], cwd: "/", timeoutMs: 60_000, maxOutputBytes: 1024, ...options }, signal);

const runs = (pid: number): boolean => isRunning({ ...identifySelf(), pid, started: null });

describe("a command that ends", () => {
  test("gives its exit and what it wrote", async () => {
    expect(await run("printf 'héllo\\n'; echo no >&2; exit 3")).toEqual({
      kind: "exited",
      code: 3,
      stdout: "héllo\n",
    });
  });

  test("works in the folder it was given", async () => {
    const cwd = temporaryFolder(onTestFinished);
    expect(await run("pwd", { cwd })).toEqual({ kind: "exited", code: 0, stdout: `${cwd}\n` });
  });

  test("has nothing to read and never pages, colours, translates or asks", async () => {
    const script = 'cat; echo "$LC_ALL $NO_COLOR $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT"';
    expect(await run(script)).toEqual({ kind: "exited", code: 0, stdout: "C 1 cat cat 0\n" });
  });

  test("may write more than is kept, and does not block", async () => {
    const result = await run("head -c 300000 /dev/zero | tr '\\0' x", { maxOutputBytes: 100_001 });
    const kept = result.kind === "exited" && /^x*$/.test(result.stdout) ? result.stdout.length : 0;
    expect([result.kind, kept]).toEqual(["exited", 100_001]);
  });

  test("is not waited for beyond its end when a child of its own keeps the pipe", async () => {
    const folder = temporaryFolder(onTestFinished);
    const result = await run("sleep 30 & echo $! > pid; echo done", { cwd: folder });
    const child = Number(readFileSync(join(folder, "pid"), "utf8"));
    onTestFinished(() => void process.kill(child, "SIGKILL"));
    expect([result, runs(child)]).toEqual([{ kind: "exited", code: 0, stdout: "done\n" }, true]);
  });

  test("by a signal is told apart", async () => {
    expect(await run("kill -9 $$")).toEqual({ kind: "signalled" });
  });
});

test("commands that end at once are never taken for hanging ones", async () => {
  const results = [];
  for (let round = 0; round < 20; round += 1) results.push(await run("echo hi"));
  expect(results).toEqual(results.map(() => ({ kind: "exited", code: 0, stdout: "hi\n" })));
});

describe("a command that cannot be started", () => {
  test("is told apart", async () => {
    expect(await run("", { argv: ["claw-has-no-such-program"] })).toEqual({ kind: "not-started" });
  });

  test("because its folder is gone is told apart", async () => {
    expect(await run("true", { cwd: "/nowhere/at/all" })).toEqual({ kind: "not-started" });
  });
});

describe("a command that takes too long", () => {
  /** Starts a child, tells its number in a file and waits for it. */
  const SCRIPT = "sleep 30 & echo $! > pid.tmp; mv pid.tmp pid; wait";
  const childOf = (folder: string): number => Number(readFileSync(join(folder, "pid"), "utf8"));

  test("is killed with its children when its time is over", async () => {
    const folder = temporaryFolder(onTestFinished);
    expect(await run(SCRIPT, { cwd: folder, timeoutMs: 2000 })).toEqual({ kind: "timed-out" });
    const child = childOf(folder);
    await expect.poll(() => runs(child), { interval: 5 }).toBe(false);
  });

  test("is killed with its children when the caller gives up", async () => {
    const folder = temporaryFolder(onTestFinished);
    const caller = new AbortController();
    const running = run(SCRIPT, { cwd: folder }, caller.signal);
    await expect.poll(() => existsSync(join(folder, "pid")), { interval: 5 }).toBe(true);
    caller.abort();
    expect(await running).toEqual({ kind: "timed-out" });
    const child = childOf(folder);
    await expect.poll(() => runs(child), { interval: 5 }).toBe(false);
  });

  test("is not waited for by a caller who gave up before", async () => {
    // Longer than a test may take.
    expect(await run("exec sleep 600", { timeoutMs: 600_000 }, AbortSignal.abort())).toEqual({ kind: "timed-out" });
  });
});

test("on Windows a command runs without a group, and is ended alone", async () => {
  const cwd = temporaryFolder(onTestFinished);
  const request: CommandRequest = {
    argv: ["sh", "-c", "ps -o pgid= -p $$ > group; exec sleep 60"],
    cwd,
    timeoutMs: 60_000,
    maxOutputBytes: 1024,
  };
  const controller = new AbortController();
  const ended = runCommand(request, controller.signal, "win32");
  await expect.poll(() => existsSync(join(cwd, "group")) && readFileSync(join(cwd, "group"), "utf8")).toMatch(/\d/);
  controller.abort();
  expect(await ended).toEqual({ kind: "timed-out" });
  expect(Number(readFileSync(join(cwd, "group"), "utf8"))).toBe(processList.stat(process.pid)?.group);
});

test("output is whole when the end of the command is noticed first, and this process is held up then", async () => {
  const cwd = temporaryFolder(onTestFinished);
  const [named, go] = [join(cwd, "named"), join(cwd, "go")];
  const script = `echo $$ > ${named}.new; mv ${named}.new ${named}; until [ -e ${go} ]; do :; done; printf whole`;
  const ended = run(script, { cwd });
  await expect.poll(() => existsSync(named)).toBe(true);
  const waitFor = (pid: number): void => {
    while (processList.stat(pid)?.state !== "Z") continue;
  };
  // The end of the command comes in the same turn of the loop as the end of the other process, and just before it.
  const other = spawn("sh", ["-c", "echo on"], { stdio: ["ignore", "pipe", "ignore"] });
  other.stdout.once("data", () => {
    writeFileSync(go, "");
    waitFor(Number(readFileSync(named, "utf8")));
  });
  other.once("exit", () => {
    const began = performance.now();
    while (performance.now() - began < HELD_UP_MS) continue;
  });
  waitFor(other.pid as number);
  expect(await ended).toEqual({ kind: "exited", code: 0, stdout: "whole" });
});
