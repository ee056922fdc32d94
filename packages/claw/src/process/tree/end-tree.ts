import { signalTo } from "../process-group.ts";
import type { Member, ProcessTree } from "./process-tree.ts";
import { memberRuns, signalTree } from "./process-tree.ts";
import { readProcessTable } from "./process-table.ts";

export interface EndingTimes {
  /**
   * How long the commands of a program, which have left its session, may take to end before the program itself is asked
   * to: some tidy up only while it lives. Without it all are asked at once.
   */
  readonly commandsMs?: number | undefined;
  /** How long those who were asked to end may take. Zero asks nobody. */
  readonly politeMs: number;
  /** How long is waited for those who were killed. */
  readonly firmMs: number;
}

const POLL_MS = 20;
/** So often it is looked for processes that were started while others were stopped. */
const MAX_LOOKS = 50;

/**
 * Stops all of a tree before any of it is killed: a process that starts others, or that starts anew what it sees die,
 * does neither once it stands still. Returns what it found.
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
 * Asks what has left the session of the first process to end, as long as that session is there. Resolves when it is gone
 * or the time is over, with whether anything was asked.
 */
export async function endCommands(tree: ProcessTree, withinMs: number): Promise<boolean> {
  const { leader } = tree;
  const own = [...readProcessTable()].flatMap(([pid, { session }]) => (session === leader?.pid ? [pid] : []));
  const asked = own.length === 0 ? [] : signalTree(tree, "SIGTERM", new Set(own));
  await untilGone(asked, withinMs);
  return asked.length > 0;
}

/**
 * Ends all of a tree, its commands first where that is wanted: asks, waits, kills, and looks again until nothing is left. Resolves then, or when the killed do
 * not go away in time, with whether anything ran.
 */
export async function endTree(tree: ProcessTree, times: EndingTimes): Promise<boolean> {
  const { commandsMs = 0, politeMs, firmMs } = times;
  const hadCommands = commandsMs > 0 && (await endCommands(tree, commandsMs));
  const asked = signalTree(tree, politeMs > 0 ? "SIGTERM" : 0);
  // Where nothing runs, nothing can be started.
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

/** Kills every process that was started with `NAME=value`, wherever it went, with what it started. Resolves as `endTree`. */
export const endMarked = (mark: string, withinMs: number): Promise<boolean> =>
  endTree({ leader: null, mark }, { politeMs: 0, firmMs: withinMs });
