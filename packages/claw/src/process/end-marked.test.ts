import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { endMarked } from "./end-marked.ts";
import { signalTo } from "./process-group.ts";
import { identify, isRunning } from "./process-identity.ts";

/** Starts a shell that leaves a process behind in a session of its own, and says which. */
async function leaveBehind(mark: string): Promise<number> {
  const shell = spawn("sh", ["-c", "setsid sh -c 'echo $$; exec sleep 300' & "], {
    env: { ...process.env, CLAW_TEST_MARK: mark },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [chunk] = (await once(shell.stdout, "data")) as [Buffer];
  const pid = Number(chunk.toString());
  onTestFinished(() => void signalTo(pid, "SIGKILL"));
  return pid;
}

test("ends what has left its group and its parents, and nothing without the mark", async () => {
  const [marked, other] = [await leaveBehind("one"), await leaveBehind("one-more")].map(identify);
  await endMarked("CLAW_TEST_MARK=one", 5000);
  expect([marked, other].map((identity) => identity !== undefined && isRunning(identity))).toEqual([false, true]);
});
