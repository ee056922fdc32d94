import type { ProcessIdentity, ProcessStat } from "../process-identity.ts";
import { readStat } from "../process-identity.ts";
import { signalTo } from "../process-group.ts";
import { readProcessTable } from "./process-table.ts";
import { isMarked } from "./tree-mark.ts";

/** What is known of a program that was started, by which it is found again with everything it started. */
export interface ProcessTree {
  /** Its first process, which leads a group and a session; null when that is not known. */
  readonly leader: Pick<ProcessIdentity, "pid" | "started"> | null;
  /** `NAME=value` that its first process was started with, and hands on; null when it was given none. */
  readonly mark: string | null;
}

/** A process; on a system without /proc, a group as a negative number. */
export interface Member {
  readonly target: number;
  readonly started: string | null;
}

type Table = ReadonlyMap<number, ProcessStat>;

const hasEnded = ({ state }: ProcessStat): boolean => state === "Z" || state === "X";

/** Pids are given out again, but not while a group or a session of that number has members. */
function ownsNumber({ leader }: ProcessTree, table: Table): boolean {
  const now = leader === null ? undefined : table.get(leader.pid);
  return leader !== null && (now === undefined || leader.started === null || now.started === leader.started);
}

/** Processes that say themselves whose they are: by their mark, or by the group or the session they are in. */
function* rootsOf(tree: ProcessTree, table: Table): Generator<number> {
  const { leader, mark } = tree;
  const number = ownsNumber(tree, table) ? leader?.pid : undefined;
  // What is older than its first process is not of a tree; most of a host is not looked at for that.
  const since = Number(leader?.started ?? 0);
  for (const [pid, { group, session, started }] of table) {
    const isNear = number !== undefined && (pid === number || group === number || session === number);
    if (isNear || (mark !== null && Number(started) >= since && isMarked(pid, mark))) yield pid;
  }
}

function indexBy(table: Table, key: (stat: ProcessStat) => number): ReadonlyMap<number, readonly number[]> {
  const index = new Map<number, number[]>();
  for (const [pid, stat] of table) {
    const known = index.get(key(stat));
    if (known === undefined) index.set(key(stat), [pid]);
    else known.push(pid);
  }
  return index;
}

/**
 * The tree's processes and those that can be told to be theirs: what they started, and what is in a session that one
 * of them leads or whose leader is gone. This process and its own session are never among them by such a link.
 */
function findMembers(tree: ProcessTree, table: Table): ReadonlySet<number> {
  const children = indexBy(table, ({ parent }) => parent);
  const sessions = indexBy(table, ({ session }) => session);
  const ownSession = table.get(process.pid)?.session;
  const found = new Set<number>();
  const queue = [...rootsOf(tree, table)];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (pid === process.pid || found.has(pid)) continue;
    found.add(pid);
    queue.push(...(children.get(pid) ?? []));
    const session = table.get(pid)?.session ?? 0;
    const isOwn = session === pid || found.has(session) || !table.has(session);
    if (isOwn && session > 0 && session !== ownSession) queue.push(...(sessions.get(session) ?? []));
  }
  return found;
}

/** Sends a signal to whole groups where all of a group is meant, so that none of it slips away by starting another. */
function sendToAll(pids: ReadonlySet<number>, table: Table, signal: NodeJS.Signals): void {
  for (const [group, members] of indexBy(table, (stat) => stat.group)) {
    const meant = members.filter((pid) => pids.has(pid));
    if (meant.length === members.length && group > 0) signalTo(-group, signal);
    else for (const pid of meant) signalTo(pid, signal);
  }
}

/** Without /proc nothing is known but the group. */
function signalGroup({ leader }: ProcessTree, signal: NodeJS.Signals | 0): readonly Member[] {
  return leader !== null && signalTo(-leader.pid, signal) ? [{ target: -leader.pid, started: null }] : [];
}

/**
 * Sends a signal to everything of a tree that runs at this moment, but not to `except`; 0 only looks. Returns those it
 * was meant for. A zombie does not run.
 */
export function signalTree(
  tree: ProcessTree,
  signal: NodeJS.Signals | 0,
  except: ReadonlySet<number> = new Set(),
): readonly Member[] {
  const table = readProcessTable();
  if (table.size === 0) return signalGroup(tree, signal);
  const pids = new Set([...findMembers(tree, table)].filter((pid) => !except.has(pid)));
  const running = [...pids].flatMap((pid) => {
    const stat = table.get(pid);
    return stat === undefined || hasEnded(stat) ? [] : [{ target: pid, started: stat.started }];
  });
  if (signal !== 0 && running.length > 0) sendToAll(pids, table, signal);
  return running;
}

/** Whether that very process still runs. */
export function memberRuns({ target, started }: Member): boolean {
  if (started === null) return signalTo(target, 0);
  const stat = readStat(target);
  return stat !== undefined && stat.started === started && !hasEnded(stat);
}
