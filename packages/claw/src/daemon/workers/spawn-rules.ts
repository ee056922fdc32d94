import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { PermissionMode } from "claw-contract";
import { ClawError, LIMITS, PERMISSION_MODES } from "claw-contract";
import type { WorkerBudget, WorkerSpawned } from "claw-contract/schemas";
import type { BusHost, ConnectedPeer } from "../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { PermittedSpawn, SpawnRequest } from "./launch-worker.ts";

export interface Rules {
  readonly registry: WorkerRegistry;
  readonly options: Pick<SuperviseOptions, "cwd">;
  readonly host: { readonly peers: Pick<BusHost["peers"], "has"> };
}

const spawnDenied = (target: string, message: string): ClawError =>
  new ClawError("PERMISSION_DENIED", message, { operation: "spawn_worker", target });

/** Number of workers above a new worker in the tree of parents. A parent that is no worker ends the count. */
function depthOf(registry: WorkerRegistry, parentId: string | null): number {
  const seen = new Set<string>();
  for (let id = parentId; id !== null && !seen.has(id); id = registry.get(id)?.parentId ?? null) {
    if (registry.get(id) === undefined) break;
    seen.add(id);
  }
  return seen.size;
}

const SHOWN_CHARS = 100;

/** The peer id of the parent: a known worker, by id or name, or a connected peer. */
function parentOf(asked: string | null, peer: ConnectedPeer, { registry, host }: Rules): string | null {
  if (asked === null) return null;
  const worker = registry.find(asked);
  if (worker !== undefined) return worker.peerId;
  if (asked === peer.id || host.peers.has(asked)) return asked;
  const target = asked.slice(0, SHOWN_CHARS);
  throw new ClawError("WORKER_NOT_FOUND", `no peer is called ${target}`, {
    operation: "spawn_worker",
    target,
  });
}

type Limits = Pick<WorkerBudget, "usd" | "tokens">;

const limitsIn = ({ usd, tokens }: Limits): Limits => ({
  ...(usd === undefined ? {} : { usd }),
  ...(tokens === undefined ? {} : { tokens }),
});

/** The budget with the limits that are set; null when none is. */
function budgetIn({ budget }: SpawnRequest): WorkerBudget | null {
  const [whole, run] = [limitsIn(budget ?? {}), limitsIn(budget?.run ?? {})];
  const limits = { ...whole, ...(Object.keys(run).length === 0 ? {} : { run }) };
  return Object.keys(limits).length === 0 ? null : limits;
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
const handsOverCommands = ({ checks, worktree }: SpawnRequest): boolean =>
  [checks, worktree?.setup ?? [], worktree?.teardown ?? []].some((commands) => commands.length > 0);

/**
 * The worker behind a peer: found by its id, or by the name that its token fixes. A worker that came back under another
 * id would otherwise have fewer limits than at its start.
 */
function startedAs(peer: Pick<ConnectedPeer, "id" | "name">, registry: WorkerRegistry): RegisteredWorker | undefined {
  const own = registry.get(peer.id);
  if (own !== undefined && own.spawned !== null) return own;
  return registry.all().findLast(({ name, spawned }) => name === peer.name && spawned !== null) ?? own;
}

/** Variables and scenarios decide which programs an agent's process loads and runs. */
function refusePrograms({ env, scenario }: SpawnRequest): void {
  if (Object.keys(env).length > 0) throw spawnDenied("env", "a worker sets no variables for the workers it starts");
  if (scenario !== null) throw spawnDenied("scenario", "a worker gives no scenario to the workers it starts");
}

/**
 * Closes a way out of the sandbox. A sandboxed worker could write settings into a folder below its own folder. An agent
 * that reads the settings there, or an agent without the sandbox, would then run the programs in the settings.
 */
function refuseWayOut(request: PermittedSpawn, { harness, cwd }: WorkerSpawned): void {
  if (realpathSync(request.cwd) !== realpathSync(cwd)) {
    throw spawnDenied(
      "cwd",
      "a worker whose rights are limited starts others in the folder it works in, and in none below",
    );
  }
  if (harness === "claw" && request.harness !== "claw" && request.harness !== "fake") {
    throw spawnDenied(
      "harness",
      `a worker whose rights are limited cannot start ${request.harness}, which has no sandbox of claw`,
    );
  }
}

/** Limits a request of a worker: the new worker is a child that may do and spend no more than its parent. */
function narrowRequest(request: PermittedSpawn, peer: ConnectedPeer, { registry, options }: Rules): PermittedSpawn {
  const { peerId, spawned } = startedAs(peer, registry) ?? { peerId: peer.id, spawned: null };
  const mode = ownMode(spawned);
  refusePrograms(request);
  const asked = request.permission_mode ?? mode;
  if (PERMISSION_MODES.indexOf(asked) > PERMISSION_MODES.indexOf(mode)) {
    throw spawnDenied("permission_mode", `a worker with ${mode} cannot start one with ${asked}`);
  }
  if (!isInside(spawned?.cwd ?? options.cwd, request.cwd)) {
    throw spawnDenied("cwd", "a worker starts others in its own folder alone");
  }
  if (mode !== "danger-full-access") {
    if (handsOverCommands(request)) {
      throw spawnDenied("checks", `a worker with ${mode} cannot have the daemon run commands`);
    }
    if (spawned !== null) refuseWayOut(request, spawned);
  }
  return {
    ...request,
    parent_id: peerId,
    fleet: spawned?.fleet ?? null,
    permission_mode: asked,
    budget: narrowBudget(request.budget, spawned?.budget ?? null),
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const about = (target: string) => ({ operation: "spawn_worker", target });

/** Throws when the mission is too long, or the folder is no folder. */
function requirePossible({ mission }: SpawnRequest, cwd: string): void {
  if (Buffer.byteLength(mission) > LIMITS.workerMissionBytes) {
    throw new ClawError("REQUEST_TOO_LARGE", "the mission is too long", about("mission"));
  }
  if (!isAbsolute(cwd)) {
    throw new ClawError("INVALID_FLAG_VALUE", "the folder of a worker has to be an absolute path", about("cwd"));
  }
  if (!isFolder(cwd)) throw new ClawError("INVALID_CWD", `the folder ${cwd} does not exist`, about(cwd));
}

/** The start that the requesting peer is allowed. Throws the reason when the start is not allowed. */
export function permitSpawn(asked: SpawnRequest, peer: ConnectedPeer, rules: Rules): PermittedSpawn {
  const { registry, options } = rules;
  const request = { ...asked, cwd: asked.cwd ?? options.cwd, budget: budgetIn(asked) };
  requirePossible(request, request.cwd);
  const permitted =
    peer.role === "worker"
      ? narrowRequest(request, peer, rules)
      : { ...request, parent_id: parentOf(request.parent_id, peer, rules) };
  if (depthOf(registry, permitted.parent_id) >= LIMITS.workerDepth) {
    throw spawnDenied("parent_id", `workers start others at most ${LIMITS.workerDepth} deep`);
  }
  return permitted;
}
