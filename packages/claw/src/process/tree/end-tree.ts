import { processSignals, signalTo } from "../system/process-signals.ts";
import { processList } from "../system/process-list.ts";
import type { Member, ProcessTree } from "./process-tree.ts";
import { memberRuns, signalTree } from "./process-tree.ts";

export interface EndingTimes {
  /**
   * How long the commands of a program, which have left its session, may take to end before the program itself is asked
   * to end: some clean up only while the program lives. By default all processes are asked at once.
   */
  readonly commandsMs?: number | undefined;
  /** How long processes may take to end after SIGTERM. Zero sends no SIGTERM. */
  readonly politeMs: number;
  /** How long to wait for killed processes to disappear. */
  readonly firmMs: number;
}

const POLL_MS = 20;
/** How often to search for processes that were started while others were being stopped. */
const MAX_LOOKS = 50;

/**
 * Stops the whole tree before killing any of it. A stopped process cannot start others, nor restart a child that dies.
 * Returns the stopped processes.
 */
function holdStill(tree: ProcessTree): readonly Member[] {
  const held = new Map<number, Member>();
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const fresh = signalTree(tree, "SIGSTOP", new Set(held.keys()));
    if (fresh.length === 0) break;
    for (const member of fresh) held.set(member.target, member);
  }
  return [...held.values()];
}

async function untilGone(members: readonly Member[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && members.some(memberRuns)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Asks the processes that have left the first process's session to end, as long as that session exists. Resolves when
 * they are gone or the time is over, with whether any process was asked.
 */
export async function endCommands(tree: ProcessTree, withinMs: number): Promise<boolean> {
  const { leader } = tree;
  const own = [...processList.table()].flatMap(([pid, { session }]) => (session === leader?.pid ? [pid] : []));
  const asked = own.length === 0 ? [] : signalTree(tree, "SIGTERM", new Set(own));
  await untilGone(asked, withinMs);
  return asked.length > 0;
}

/**
 * Ends a whole tree, its commands first if wanted: asks, waits, kills, and searches again until no process is left.
 * Resolves then, or when killed processes do not disappear in time, with whether any process ran.
 */
export async function endTree(tree: ProcessTree, times: EndingTimes): Promise<boolean> {
  const { commandsMs = 0, politeMs, firmMs } = times;
  const hadCommands = commandsMs > 0 && (await endCommands(tree, commandsMs));
  const asked = signalTree(tree, politeMs > 0 ? "SIGTERM" : 0);
  // Without a running process, no new process can appear.
  if (asked.length === 0) return hadCommands;
  if (politeMs > 0) await untilGone(asked, politeMs);
  const deadline = performance.now() + firmMs;
  for (;;) {
    const held = holdStill(tree);
    for (const { target } of held) signalTo(target, "SIGKILL");
    const leftMs = deadline - performance.now();
    if (held.length === 0 || leftMs <= 0) return true;
    await untilGone(held, leftMs);
  }
}

/** Kills every process started with the variable `NAME=value`, with all its descendants. Resolves as `endTree` does. */
export const endMarked = (mark: string, withinMs: number): Promise<boolean> =>
  endTree({ leader: null, mark }, { politeMs: 0, firmMs: withinMs });

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends a process with all its descendants. Resolves with whether any of them ran. A signal to this process meanwhile
 * means that a person will not wait: the remaining processes are killed, and the signal takes its normal effect. The
 * remaining processes are also killed when this process exits meanwhile.
 */
export async function endGuarded(tree: ProcessTree, times: EndingTimes): Promise<boolean> {
  const kill = (): void => void signalTree(tree, "SIGKILL");
  const forget = (): void => {
    process.off("exit", kill);
    for (const name of SIGNALS) process.off(name, hurry);
  };
  const hurry = (signal: NodeJS.Signals): void => {
    kill();
    forget();
    processSignals.sendSelf(signal);
  };
  process.once("exit", kill);
  for (const name of SIGNALS) process.on(name, hurry);
  try {
    return await endTree(tree, times);
  } finally {
    forget();
  }
}
