import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { ProcessIdentity } from "claw-contract";
import { identifySelf, isRunning } from "./process-identity.ts";

const here = (pid: number, started: string | null = null): ProcessIdentity => ({
  ...identifySelf(),
  pid,
  started,
});

test("this process runs", () => {
  expect(identifySelf()).toEqual({
    pid: process.pid,
    started: expect.stringMatching(/^\d+$/) as string,
    boot: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    host: hostname(),
  });
  expect(isRunning(identifySelf())).toBe(true);
});

test("a process that has ended does not run", () => {
  expect(isRunning(here(spawnSync("true").pid))).toBe(false);
});

test("a number that another process has by now is not the process that had it", () => {
  expect([isRunning({ ...identifySelf(), started: "1" }), isRunning(here(process.pid))]).toEqual([false, true]);
});

test("a zombie does not run", async () => {
  // The shell starts a child that ends when told to, and becomes a program that never asks for its children.
  const parent = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [chunk] = (await once(parent.stdout as Readable, "data")) as [Buffer];
  const child = here(Number(chunk.toString()));
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8"), { interval: 5 }).toBe("sleep\n");
  expect(isRunning(child)).toBe(true);
  (parent.stdio[3] as Writable).end();
  await expect.poll(() => isRunning(child), { interval: 5 }).toBe(false);
  expect(() => process.kill(child.pid, 0)).not.toThrow();
});

test("a process of another host counts as running, since nothing here can tell", () => {
  expect(isRunning({ ...identifySelf(), pid: 1, started: "1", host: "elsewhere.example" })).toBe(true);
});

test("what cannot be a process does not run", () => {
  expect([0, -1, 1.5, Number.NaN, 2 ** 31 - 1, 2 ** 40].map((pid) => isRunning(here(pid)))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
