import { readFileSync } from "node:fs";
import { identify, isRunning } from "./process-identity.ts";
import { signalTo } from "./process-group.ts";
import { readProcessTable } from "./process-table.ts";

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It is gone, or another user's, or the system has no /proc.
    return "";
  }
}

const POLL_MS = 10;

/**
 * Kills every process that has `entry`, as `NAME=value`, in its environment, wherever it went: a process that left its
 * group and its parents keeps what it was started with. Resolves when they are gone, or after `withinMs`.
 */
export async function endMarked(entry: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  const isMarked = (pid: number): boolean => `\0${environmentOf(pid)}`.includes(`\0${entry}\0`);
  for (;;) {
    const marked = [...readProcessTable().keys()].filter((pid) => pid !== process.pid && isMarked(pid)).map(identify);
    const running = marked.filter(isRunning);
    if (running.length === 0 || performance.now() > deadline) return;
    for (const { pid } of running) signalTo(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
