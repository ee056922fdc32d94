import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { allowedSilence, createWatchdog } from "./watchdog.ts";

test.each([
  ["no limit at all", { sawResult: false, backgroundTasks: 0 }, null, null],
  ["no limit, after a result", { sawResult: true, backgroundTasks: 0 }, null, { ms: 30, reason: "linger" }],
  [
    "a task that goes on after a result",
    { sawResult: true, backgroundTasks: 1 },
    600,
    { ms: 600, reason: "idle-deadline" },
  ],
  ["a task that goes on, and no limit", { sawResult: true, backgroundTasks: 1 }, null, null],
] as const)("with %s an agent may be silent so long", (_case, progress, idleMs, silence) => {
  expect(allowedSilence(progress, { idleMs, lingerMs: 30 })).toEqual(silence);
});

const SOON_MS = 20;

test("a watchdog barks once when nothing is heard", async () => {
  const reason = await new Promise((resolve) => {
    createWatchdog(resolve).watch({ ms: SOON_MS, reason: "linger" });
  });
  expect(reason).toBe("linger");
});

test("output that waits while this process is held up is heard before the watchdog barks", async () => {
  const cwd = temporaryFolder(onTestFinished);
  const child = spawn("sh", ["-c", "read -r go; echo output; touch written; sleep 600"], {
    cwd,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const order: string[] = [];
  const barked = new Promise<void>((resolve) => {
    const dog = createWatchdog(() => resolve(void order.push("barked")));
    child.stdout.on("data", () => {
      order.push("heard");
      dog.heard();
    });
    dog.watch({ ms: SOON_MS, reason: "idle-deadline" });
  });
  child.stdin.write("go\n");
  await new Promise(setImmediate);
  // Holds this process up until the output is in the pipe and the timer is due.
  for (const due = performance.now() + 2 * SOON_MS; performance.now() < due || !existsSync(join(cwd, "written"));) {
    continue;
  }
  await barked;
  expect(order).toEqual(["heard", "barked"]);
});

test("a watchdog that rests does not bark, also when its time is over", async () => {
  let barks = 0;
  const dog = createWatchdog(() => (barks += 1));
  dog.watch({ ms: 1, reason: "linger" });
  // Due in the same turn as the time of the watchdog, right after it.
  const over = new Promise((resolve) => setTimeout(resolve, 1));
  for (const due = performance.now() + 5; performance.now() < due;) continue;
  await over;
  dog.rest();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(barks).toBe(0);
});
