import { hostname } from "node:os";
import type { ProcessIdentity } from "claw-contract";
import { signalTo } from "./system/process-signals.ts";
import type { ProcessList } from "./system/process-list.ts";
import { processList } from "./system/process-list.ts";

export function identifySelf(): ProcessIdentity {
  return identify(process.pid);
}

/** The identity of a process now running on this host. */
export function identify(pid: number, list: ProcessList = processList): ProcessIdentity {
  return { pid, started: list.stat(pid)?.started ?? null, boot: list.bootId(), host: hostname() };
}

function answersSignal(pid: number): boolean {
  try {
    return signalTo(pid, 0);
  } catch {
    // A number that no process can have.
    return false;
  }
}

/**
 * Whether exactly this process still runs. A zombie does not run. A process of another host counts as running, because
 * it cannot be checked from here.
 */
export function isRunning({ pid, started, boot, host }: ProcessIdentity, list: ProcessList = processList): boolean {
  if (host !== hostname()) return true;
  if (boot !== null && boot !== list.bootId()) return false;
  if (!Number.isSafeInteger(pid) || pid <= 0 || !answersSignal(pid)) return false;
  const stat = list.stat(pid);
  if (stat === undefined) return true;
  if (stat.state === "Z" || stat.state === "X") return false;
  return started === null || stat.started === started;
}
