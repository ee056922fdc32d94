import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ProcessList } from "./process-list.ts";

const MARK = "CLAW_TREE=one.1 two.2";

/** A process in its own group that says when it runs. */
async function startSleeper(): Promise<number> {
  const child = spawn("sh", ["-c", "echo on; exec sleep 60"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, CLAW_TREE: "one.1 two.2", CLAW_AFTER: "x" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid as number;
}

/** What claw expects of each system's list of processes. */
export function testProcessLists(lists: readonly (readonly [string, () => ProcessList])[]): void {
  describe.each(lists)("%s", (_name, open) => {
    test("shows a process with its parent, its group and its start", async () => {
      const list = open();
      const pid = await startSleeper();
      const stat = list.stat(pid);
      expect(stat).toEqual({
        state: expect.stringMatching(/^[RSD]$/) as string,
        parent: process.pid,
        group: pid,
        session: expect.any(Number) as number,
        started: expect.stringMatching(/^\d+$/) as string,
      });
      expect(Number(stat?.started)).toBeGreaterThanOrEqual(Number(list.stat(process.pid)?.started));
    });

    test("lists every process as it shows one", async () => {
      const list = open();
      const pid = await startSleeper();
      const { state: _one, ...row } = list.table().get(pid) ?? { state: "" };
      const { state: _two, ...stat } = list.stat(pid) ?? { state: "" };
      expect([row, list.table().has(process.pid)]).toEqual([stat, true]);
    });

    test("shows the variables that a process was started with", async () => {
      const [list, pid] = [open(), await startSleeper()];
      // While a process becomes another program, the system shows none of its variables.
      await expect.poll(() => list.environment(pid)).toContain(`\0${MARK}\0`);
    });

    test("shows nothing of a process that has ended", () => {
      const { pid } = spawnSync("true");
      const list = open();
      expect([list.stat(pid), list.table().has(pid), list.environment(pid)]).toEqual([undefined, false, "\0\0"]);
    });

    test("has one id for this start of the system", () => {
      const list = open();
      expect(list.bootId()).toMatch(/^[0-9a-f]{8}$/);
      expect(open().bootId()).toBe(list.bootId());
    });
  });
}
