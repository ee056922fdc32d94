import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { processSignalsFor } from "./process-signals.ts";

/** Starts a leader of a group. */
async function startLeader(): Promise<{ pid: number; ended: Promise<unknown[]> }> {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child, "spawn");
  return { pid: child.pid as number, ended };
}

test.each(["linux", "darwin"] as const)("on %s a signal reaches a process and a group", async (platform) => {
  const signals = processSignalsFor(platform);
  const { pid, ended } = await startLeader();
  expect([signals.hasGroups, signals.send(pid, 0), signals.send(-pid, 0)]).toEqual([true, true, true]);
  expect(signals.send(-pid, "SIGTERM")).toBe(true);
  expect(await ended).toEqual([null, "SIGTERM"]);
});

test("on Windows a signal reaches a process, and no group exists", async () => {
  const signals = processSignalsFor("win32");
  const { pid, ended } = await startLeader();
  expect([signals.hasGroups, signals.send(pid, 0), signals.send(-pid, 0)]).toEqual([false, true, false]);
  expect(signals.send(-pid, "SIGKILL")).toBe(false);
  signals.suspendGroup();
  expect(signals.send(pid, "SIGTERM")).toBe(true);
  expect(await ended).toEqual([null, "SIGTERM"]);
});

test.each(["linux", "darwin", "win32"] as const)("on %s a process that has ended does not exist", (platform) => {
  expect(processSignalsFor(platform).send(spawnSync("true").pid, 0)).toBe(false);
});
