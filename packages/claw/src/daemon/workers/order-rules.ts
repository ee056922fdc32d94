import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { PermissionMode } from "@claw/contract";
import { ClawError, LIMITS, PERMISSION_MODES } from "@claw/contract";
import type { WorkerBudget, WorkerSpawned } from "@claw/contract/schemas";
import type { BusHost, ConnectedPeer } from "../../bus/index.ts";
import type { Fleet, FleetWorker } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import type { WorkerOrder } from "./worker-order.ts";
import { invalidOrder } from "./worker-order.ts";

export interface Rules {
  readonly fleet: Fleet;
  readonly options: Pick<SuperviseOptions, "cwd">;
  readonly host: { readonly peers: Pick<BusHost["peers"], "has"> };
}

const refuse = (target: string, message: string): ClawError =>
  new ClawError("PERMISSION_DENIED", message, { operation: "spawn_worker", target });

/** Number of workers above a new worker in the tree of parents. A parent that is no worker ends the count. */
function depthOf(fleet: Fleet, parentId: string | null): number {
  const seen = new Set<string>();
  for (let id = parentId; id !== null && !seen.has(id); id = fleet.get(id)?.parentId ?? null) {
    if (fleet.get(id) === undefined) break;
    seen.add(id);
  }
  return seen.size;
}

const SHOWN_CHARS = 100;

/** The peer id of the parent: a known worker, by id or name, or a connected peer. */
function parentOf(asked: string | null, { fleet, host }: Rules): string | null {
  if (asked === null) return null;
  const worker = fleet.find(asked);
  if (worker !== undefined) return worker.peerId;
  if (host.peers.has(asked)) return asked;
  const target = asked.slice(0, SHOWN_CHARS);
  throw new ClawError("WORKER_NOT_FOUND", `nobody is called ${target}`, { operation: "spawn_worker", target });
}

/**
 * The budget of a child. A parent without a budget grants the requested budget; otherwise the smaller amounts count.
 */
function narrowBudget(asked: WorkerBudget | null, own: WorkerBudget | null): WorkerBudget | null {
  if (own === null) return asked;
  const least = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined ? b : b === undefined ? a : Math.min(a, b);
  const [usd, tokens] = [least(asked?.usd, own.usd), least(asked?.tokens, own.tokens)];
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(asked?.run === undefined ? {} : { run: asked.run }),
  };
}

/**
 * The permission mode of a worker. A worker without a known mode counts as `workspace-write`: it may hand on no more
 * than writing in its folder.
 */
function ownMode(spawned: WorkerSpawned | null): PermissionMode {
  const mode = spawned?.["permission_mode"];
  return PERMISSION_MODES.find((each) => each === mode) ?? "workspace-write";
}

/** Whether a path lies in a folder. Both exist; links are followed. */
function isInside(folder: string, path: string): boolean {
  const way = relative(realpathSync(folder), realpathSync(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Whether a request has commands that the daemon itself would run. The daemon's commands are not limited to a folder.
 */
const handsOverCommands = ({ checks, worktree }: WorkerOrder): boolean =>
  checks.length + (worktree?.setup.length ?? 0) + (worktree?.teardown.length ?? 0) > 0;

/**
 * The worker behind a peer: found by its id, or by the name that its token fixes. A worker that came back under another
 * id would otherwise have fewer limits than at its start.
 */
function startedAs(peer: Pick<ConnectedPeer, "id" | "name">, fleet: Fleet): FleetWorker | undefined {
  const own = fleet.get(peer.id);
  if (own !== undefined && own.spawned !== null) return own;
  return fleet.all().findLast(({ name, spawned }) => name === peer.name && spawned !== null) ?? own;
}

/** Variables and scenarios decide which programs an agent's process loads and runs. */
function refusePrograms({ env, scenario }: WorkerOrder): void {
  if (Object.keys(env).length > 0) throw refuse("env", "a worker sets no variables for the workers it starts");
  if (scenario !== null) throw refuse("scenario", "a worker gives no scenario to the workers it starts");
}

/**
 * Closes a way out of the sandbox. A sandboxed worker could write settings into a folder below its own folder. An agent
 * that reads the settings there, or an agent without the sandbox, would then run the programs in the settings.
 */
function refuseWayOut(order: WorkerOrder, { harness, cwd }: WorkerSpawned): void {
  if (realpathSync(order.cwd) !== realpathSync(cwd)) {
    throw refuse("cwd", "a worker whose rights are limited starts others in the folder it works in, and in none below");
  }
  if (harness === "claw" && order.harness !== "claw" && order.harness !== "fake") {
    throw refuse(
      "harness",
      `a worker whose rights are limited cannot start ${order.harness}, which has no sandbox of claw`,
    );
  }
}

/** Limits a request of a worker: the new worker is a child that may do and spend no more than its parent. */
function narrowOrder(order: WorkerOrder, peer: ConnectedPeer, { fleet, options }: Rules): WorkerOrder {
  const { peerId, spawned } = startedAs(peer, fleet) ?? { peerId: peer.id, spawned: null };
  const mode = ownMode(spawned);
  refusePrograms(order);
  const asked = order.permissionMode ?? mode;
  if (PERMISSION_MODES.indexOf(asked) > PERMISSION_MODES.indexOf(mode)) {
    throw refuse("permission_mode", `a worker with ${mode} cannot start one with ${asked}`);
  }
  if (!isInside(spawned?.cwd ?? options.cwd, order.cwd)) {
    throw refuse("cwd", "a worker starts others in its own folder alone");
  }
  if (mode !== "danger-full-access") {
    if (handsOverCommands(order)) throw refuse("checks", `a worker with ${mode} cannot have the daemon run commands`);
    if (spawned !== null) refuseWayOut(order, spawned);
  }
  return {
    ...order,
    parentId: peerId,
    fleet: spawned?.fleet ?? null,
    permissionMode: asked,
    budget: narrowBudget(order.budget, spawned?.budget ?? null),
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The start that the requesting peer is allowed. Throws the reason when the start is not allowed. */
export function permitOrder(order: WorkerOrder, peer: ConnectedPeer, rules: Rules): WorkerOrder {
  const { fleet } = rules;
  if (!isAbsolute(order.cwd)) throw invalidOrder("cwd", "the folder of a worker is an absolute path");
  if (!isFolder(order.cwd)) {
    throw new ClawError("INVALID_CWD", `the folder ${order.cwd} is not there`, {
      operation: "spawn_worker",
      target: order.cwd,
    });
  }
  const permitted =
    peer.role === "worker" ? narrowOrder(order, peer, rules) : { ...order, parentId: parentOf(order.parentId, rules) };
  if (depthOf(fleet, permitted.parentId) >= LIMITS.workerDepth) {
    throw refuse("parent_id", `workers start others at most ${LIMITS.workerDepth} deep`);
  }
  return permitted;
}
