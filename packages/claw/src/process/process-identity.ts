import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Names one process for good: pids are reused, a pid with its start time on a host is not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Kernel start time where the system tells it. */
  readonly started: string | null;
  readonly host: string;
}

interface ProcessStat {
  readonly state: string;
  readonly started: string;
}

/** State and start time from /proc, or undefined where there is no such process or no /proc. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "?", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

export function identifySelf(): ProcessIdentity {
  return { pid: process.pid, started: readStat(process.pid)?.started ?? null, host: hostname() };
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether that very process still runs. A zombie does not. A process of another host counts as running,
 * since nothing here can tell.
 */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0 || !answersSignal(identity.pid)) return false;
  const stat = readStat(identity.pid);
  if (stat === undefined) return true;
  if (stat.state === "Z" || stat.state === "X") return false;
  return identity.started === null || stat.started === identity.started;
}
