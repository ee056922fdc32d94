import { identify, isRunning } from "./process-identity.ts";
import { descendantsOf, readProcessTable } from "./process-table.ts";

/** A process with the group it leads, and what it started that has left the group since. */
export interface ProcessGroup {
  /** Sends a signal to all of them. Those that are gone already are no error. */
  send(signal: NodeJS.Signals): void;
  /** Whether one of them still runs. A zombie does not. */
  alive(): boolean;
}

/**
 * The group of a leader. Descendants that left it are those that can be told to be its own now: found where the
 * system has /proc, and as long as every process between them and the leader lives.
 */
export function processGroup(leader: number): ProcessGroup {
  const strays = descendantsOf(leader).map(identify);
  return {
    send: (signal) => {
      signalTo(-leader, signal);
      for (const stray of strays) if (isRunning(stray)) signalTo(stray.pid, signal);
    },
    alive: () => groupRuns(leader) || strays.some(isRunning),
  };
}

/** Whether a group has a member that runs. */
export function groupRuns(leader: number): boolean {
  if (!signalTo(-leader, 0)) return false;
  const table = readProcessTable();
  if (table.size === 0) return true;
  return [...table.values()].some(({ group, state }) => group === leader && state !== "Z" && state !== "X");
}

/** Sends a signal and says whether there was somebody to take it. */
export function signalTo(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    // Somebody is there who took another user's rights.
    if (code === "EPERM") return true;
    throw error;
  }
}

export interface EndingTimes {
  /** How long those who were asked to end may take. */
  readonly politeMs: number;
  /** How long is waited for those who were killed. */
  readonly firmMs: number;
}

const POLL_MS = 20;

/** Ends a group: asks, waits, kills. Resolves when nobody of it runs, or when the killed do not go away in time. */
export async function endGroup(group: ProcessGroup, times: EndingTimes): Promise<void> {
  group.send("SIGTERM");
  await untilGone(group, times.politeMs);
  if (!group.alive()) return;
  group.send("SIGKILL");
  await untilGone(group, times.firmMs);
}

async function untilGone(group: ProcessGroup, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && group.alive()) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
