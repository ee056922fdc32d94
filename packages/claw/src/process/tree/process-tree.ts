import type { ProcessIdentity, Environment } from "claw-contract";
import { signalTo } from "../system/process-signals.ts";
import type { ProcessList, ProcessStat } from "../system/process-list.ts";
import { processList } from "../system/process-list.ts";

/** Variable that lists the trees a process belongs to, outermost first, separated by spaces. */
export const TREE_VARIABLE = "CLAW_TREE";

/** The mark of one tree. `watchId` belongs to the process that started the tree and cannot be guessed. */
export const markOf = (watchId: string, treeId: number): string => `${watchId}.${treeId}`;

/** The environment for the first process of a tree. The trees of this process stay listed. */
export function markedEnvironment(env: Environment, mark: string): Environment {
  const outer = process.env[TREE_VARIABLE];
  return { ...env, [TREE_VARIABLE]: outer === undefined || outer === "" ? mark : `${outer} ${mark}` };
}

/** The environment for a process outside any tree: a service may outlive the program that starts it. */
export function unmarkedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [TREE_VARIABLE]: _trees, ...rest } = env;
  return rest;
}

/**
 * Whether a process was started with `NAME=value`. For the variable that lists trees, whether the list contains this
 * tree.
 */
export function isMarked(pid: number, entry: string, list: ProcessList = processList): boolean {
  const environment = list.environment(pid);
  const prefix = `${TREE_VARIABLE}=`;
  if (!entry.startsWith(prefix)) return environment.includes(`\0${entry}\0`);
  const [, trees = ""] = environment.split(`\0${prefix}`);
  return trees.slice(0, trees.indexOf("\0")).split(" ").includes(entry.slice(prefix.length));
}

/** Identifies a started program, to find it again with all its descendants. */
export interface ProcessTree {
  /** The program's first process, which leads a group and a session; null when unknown. */
  readonly leader: Pick<ProcessIdentity, "pid" | "started"> | null;
  /** The variable `NAME=value` that the first process was started with and passes on; null without a mark. */
  readonly mark: string | null;
}

/** A process; where the system tells nothing about processes, a group as a negative number. */
export interface Member {
  readonly target: number;
  readonly started: string | null;
}

type Table = ReadonlyMap<number, ProcessStat>;

const hasEnded = ({ state }: ProcessStat): boolean => state === "Z" || state === "X";

/**
 * Whether the leader's pid still belongs to the tree. The system does not reuse a pid while a group or session of that
 * number has members.
 */
function ownsNumber({ leader }: ProcessTree, table: Table): boolean {
  const now = leader === null ? undefined : table.get(leader.pid);
  return leader !== null && (now === undefined || leader.started === null || now.started === leader.started);
}

/** Processes that clearly belong to the tree: by the mark, or by the leader's group or session. */
function* rootsOf(tree: ProcessTree, table: Table, list: ProcessList): Generator<number> {
  const { leader, mark } = tree;
  const number = ownsNumber(tree, table) ? leader?.pid : undefined;
  // A process older than the leader is not part of the tree, so most processes of the host are skipped.
  const since = Number(leader?.started ?? 0);
  for (const [pid, { group, session, started }] of table) {
    const isNear = number !== undefined && (pid === number || group === number || session === number);
    if (isNear || (mark !== null && Number(started) >= since && isMarked(pid, mark, list))) yield pid;
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
 * The processes of the tree and all processes that follow from them: children, and members of a session whose leader
 * belongs to the tree or is gone. This process and its session are never included by such a link.
 */
function findMembers(tree: ProcessTree, table: Table, list: ProcessList): ReadonlySet<number> {
  const children = indexBy(table, ({ parent }) => parent);
  const sessions = indexBy(table, ({ session }) => session);
  const ownSession = table.get(process.pid)?.session;
  const found = new Set<number>();
  const queue = [...rootsOf(tree, table, list)];
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

/** Signals a whole group at once where all members are meant, so that no member escapes by starting a process. */
function sendToAll(pids: ReadonlySet<number>, table: Table, signal: NodeJS.Signals): void {
  for (const [group, members] of indexBy(table, (stat) => stat.group)) {
    const meant = members.filter((pid) => pids.has(pid));
    if (meant.length === members.length && group > 0) signalTo(-group, signal);
    else for (const pid of meant) signalTo(pid, signal);
  }
}

/** Where the system tells nothing about processes, only the group is known. */
function signalGroup({ leader }: ProcessTree, signal: NodeJS.Signals | 0): readonly Member[] {
  return leader !== null && signalTo(-leader.pid, signal) ? [{ target: -leader.pid, started: null }] : [];
}

/**
 * Sends a signal to every running process of a tree, except the pids in `except`; signal 0 only looks. Returns the
 * running processes. A zombie does not run.
 */
export function signalTree(
  tree: ProcessTree,
  signal: NodeJS.Signals | 0,
  except: ReadonlySet<number> = new Set(),
  list: ProcessList = processList,
): readonly Member[] {
  const table = list.table();
  if (table.size === 0) return signalGroup(tree, signal);
  const pids = new Set([...findMembers(tree, table, list)].filter((pid) => !except.has(pid)));
  const running = [...pids].flatMap((pid) => {
    const stat = table.get(pid);
    return stat === undefined || hasEnded(stat) ? [] : [{ target: pid, started: stat.started }];
  });
  if (signal !== 0 && running.length > 0) sendToAll(pids, table, signal);
  return running;
}

/** Whether exactly this process still runs. */
export function memberRuns({ target, started }: Member): boolean {
  if (started === null) return signalTo(target, 0);
  const stat = processList.stat(target);
  return stat !== undefined && stat.started === started && !hasEnded(stat);
}
