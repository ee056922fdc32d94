import { processList } from "./system/process-list.ts";

/** Whether a group has a running member. A zombie does not run. */
export function groupRuns(leader: number): boolean {
  if (!signalTo(-leader, 0)) return false;
  const table = processList.table();
  if (table.size === 0) return true;
  return [...table.values()].some(({ group, state }) => group === leader && state !== "Z" && state !== "X");
}

/** Sends a signal. Returns whether a process with this id exists. */
export function signalTo(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    // The process exists, but runs with another user's rights.
    if (code === "EPERM") return true;
    throw error;
  }
}
