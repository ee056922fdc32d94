import { hostname } from "node:os";
import type { ProcessIdentity } from "claw-contract";
import { readProc } from "./read-proc.ts";

/** The kernel's data about a process. */
export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: string;
}

/** Undefined when there is no such process, or no /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "?", parent, group, session] = fields;
  const [ofParent, ofGroup, ofSession] = [parent, group, session].map(Number) as [number, number, number];
  return { state, parent: ofParent, group: ofGroup, session: ofSession, started: fields[19] ?? "" };
}

const BOOT_DIGITS = 8;

const bootId = (): string | null => readProc("/proc/sys/kernel/random/boot_id")?.slice(0, BOOT_DIGITS) ?? null;

export function identifySelf(): ProcessIdentity {
  return identify(process.pid);
}

/** The identity of a process now running on this host. */
export function identify(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started ?? null, boot: bootId(), host: hostname() };
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
 * Whether exactly this process still runs. A zombie does not run. A process of another host counts as running, because
 * it cannot be checked from here.
 */
export function isRunning({ pid, started, boot, host }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  if (boot !== null && boot !== bootId()) return false;
  if (!Number.isSafeInteger(pid) || pid <= 0 || !answersSignal(pid)) return false;
  const stat = readStat(pid);
  if (stat === undefined) return true;
  if (stat.state === "Z" || stat.state === "X") return false;
  return started === null || stat.started === started;
}
