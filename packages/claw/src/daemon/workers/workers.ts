import { randomUUID } from "node:crypto";
import { ClawError, hasLifeEnded, LIMITS, nonEmptyText, WRITES_DOWN_CALLS } from "claw-contract";
import type { BusExtension, BusHost, ConnectedPeer } from "../../bus/index.ts";
import { fieldsOf } from "../../bus/index.ts";
import type { SpawnRefusal } from "../supervision/budgets/budgets.ts";
import type { RegisteredWorker, WorkerProcess, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { NextLife, Parts, PermittedSpawn, SpawnedWorker, SpawnRequest, StartBudgets } from "./launch-worker.ts";
import { launchWorker, requireMoney } from "./launch-worker.ts";
import { endProcess, makeWorkerFolder } from "./worker-process.ts";
import { createStartOnce, findCrashed, startKeyOf, takeBackStarts, unmarkStart } from "./earlier-starts.ts";
import type { DoorKeeper } from "./worker-doors.ts";
import { createDoorKeeper, openDoor } from "./worker-doors.ts";
import type { KnownStarts } from "./earlier-starts.ts";
import { takeBack } from "./worktrees/worktree-git.ts";
import { permitSpawn } from "./spawn-rules.ts";
import { findPlace, giveBackPort } from "./place-worker.ts";
import { announcedOf, freeName, jobOf, nameFor, workerRedactor } from "./worker-job.ts";
import { createProcessWatch, createSettle } from "./process-watch.ts";
import type { RemovedWorker, RemoveRequest } from "./remove-worker.ts";
import { removeWorker } from "./remove-worker.ts";
import type { RestartRequest, Restarts } from "./restart-worker.ts";
import { createRestarts, previewRestart } from "./restart-worker.ts";
import { workerRequests } from "./worker-requests.ts";
import type { ReportState, WorktreeKeeper } from "./worktrees/worktree-keeper.ts";
import { createWorktreeKeeper } from "./worktrees/worktree-keeper.ts";

/** Starts workers and watches over their processes. */
export interface Workers {
  readonly extension: BusExtension;
  /**
   * Starts a worker for a peer. Rejects with the reason when the worker cannot start; then no process and no worktree
   * is left behind.
   */
  spawn(request: SpawnRequest, peer: ConnectedPeer): Promise<SpawnedWorker>;
  /** Starts a worker anew as the same peer; a running process is ended first. Rejects with WORKER_NOT_FOUND. */
  restartWorker(request: RestartRequest): Promise<SpawnedWorker>;
  /** Returns the number of the worker's next life. Throws as `restartWorker` rejects. */
  previewRestart(peerId: string): { readonly peerId: string; readonly name: string; readonly attempt: number };
  /** Removes a worker that has ended. Rejects with WORKER_RUNNING or WORKTREE_HOLDS_WORK. */
  remove(request: RemoveRequest): Promise<RemovedWorker>;
  /**
   * Ends a worker's process. Resolves when the process is gone and its end is stored; with false when no process ran.
   */
  stopWorkerProcess(peerId: string): Promise<boolean>;
}

function refuseMany({ registry, reserved, host }: Parts): void {
  const runs = ({ life, spawned, peerId }: RegisteredWorker): boolean =>
    !hasLifeEnded(life) && spawned !== null && host.isHere(peerId);
  const running = registry.all().filter(runs).length;
  if (running + reserved.size < LIMITS.workersRunning) return;
  throw new ClawError("PERMISSION_DENIED", `${LIMITS.workersRunning} workers run already`, {
    operation: "spawn_worker",
    target: "workers",
    hint: "Wait until some workers are done, or stop some: claw ps, then claw abort.",
  });
}

/** Whether a worker of that name has not ended, as far as this daemon knows. */
const isInUse = ({ registry }: Pick<Parts, "registry">, name: string): boolean =>
  registry.all().some((worker) => worker.name === name && !hasLifeEnded(worker.life));

/** A name for a worker. Without a wish, a name that was not tried in vain. */
function chooseName(parts: Parts, { name, mission, harness, env }: PermittedSpawn, tried: ReadonlySet<string>): string {
  const { reserved, options } = parts;
  const isTaken = (each: string): boolean => reserved.has(each) || tried.has(each) || isInUse(parts, each);
  if (name === null) {
    // Every peer sees the name, so secrets are masked first.
    const shown = workerRedactor(options.env, { env }).redactText(mission);
    return freeName(nameFor(shown, harness), isTaken);
  }
  if (!isTaken(name)) return name;
  throw nameTaken(name);
}

/**
 * Claims a name in the cluster until the start is in the log, so that of two machines one gets it. Returns the function
 * that gives the claim up; undefined when another machine has the name.
 */
async function claimName(parts: Parts, name: string): Promise<(() => Promise<void>) | undefined> {
  const release = await (parts.options.claimName?.(name) ?? Promise.resolve(() => Promise.resolve()));
  // Another machine may have had the claim, and have started its worker, since the name was chosen.
  if (release === undefined || !isInUse(parts, name)) return release;
  await release();
  return undefined;
}

/** Takes a name for a worker. Returns the function that gives the name up. Rejects with WORKER_NAME_TAKEN. */
async function takeName(
  parts: Parts,
  request: PermittedSpawn,
): Promise<{ readonly name: string; readonly release: () => Promise<void> }> {
  const { reserved } = parts;
  for (const tried = new Set<string>(); ;) {
    const name = chooseName(parts, request, tried);
    reserved.add(name);
    const claim = claimName(parts, name);
    claim.catch(() => reserved.delete(name));
    const release = await claim;
    if (release !== undefined) {
      return { name, release: () => release().finally(() => reserved.delete(name)) };
    }
    reserved.delete(name);
    tried.add(name);
    if (request.name !== null) throw nameTaken(name);
  }
}

const nameTaken = (name: string): ClawError =>
  new ClawError("WORKER_NAME_TAKEN", `a worker called ${name} runs already`, {
    operation: "spawn_worker",
    target: name,
  });

/**
 * In a terminal, only the agent's own files tell its usage. A limit on an agent without these files would never hold.
 */
const unmeasured = ({ mode, budget, harness }: PermittedSpawn): SpawnRefusal | undefined =>
  mode === "interactive" && budget !== null && !WRITES_DOWN_CALLS.has(harness)
    ? { code: "BUDGET_UNMEASURABLE", message: `${harness} in a terminal does not say what it spends` }
    : undefined;

/** Starts a worker in a new folder and place. */
async function startNew(parts: Parts, request: PermittedSpawn, name: string): Promise<SpawnedWorker> {
  const { peerId, folder } = makeWorkerFolder(parts.options.folder, () => parts.host.nextPeerId());
  const place = await findPlace(parts, request, { peerId, name, folder });
  const bootId = randomUUID();
  const prepare = async (): Promise<NextLife> => {
    const door = await openDoor(parts.options, { peerId, name });
    const job = jobOf(parts, request, { ...place, bootId, env: { ...place.env, ...door } });
    return { job, announced: announcedOf(job, request, parts.options) };
  };
  return launchWorker(parts, { folder, peerId, name, bootId }, prepare)
    .catch(async (cause: unknown) => {
      // No worker has worked in the worktree, so a failed start removes it.
      if (place.worktree !== null) await takeBack(place.worktree);
      await parts.options.doors.close(peerId);
      throw cause;
    })
    .finally(() => {
      unmarkStart(folder);
      giveBackPort(parts, place);
    });
}

const STARTED_AGAIN = "a person asked for it again after it had crashed";

async function spawn(
  parts: Parts,
  restarts: Restarts,
  asked: SpawnRequest,
  peer: ConnectedPeer,
): Promise<SpawnedWorker> {
  const request = { ...permitSpawn(asked, peer, parts), ...startKeyOf(peer.speaksFor ?? peer.id, asked.key) };
  refuseMany(parts);
  requireMoney(unmeasured(request) ?? parts.budgets.refuseSpawn(request), request.name ?? request.harness);
  const { name, release } = await takeName(parts, request);
  try {
    const crashed = findCrashed(parts.registry, request);
    if (crashed === undefined) return await startNew(parts, request, name);
    return await restarts.restart({ peerId: crashed.peerId, reason: STARTED_AGAIN, spawn: request, isAsked: true });
  } finally {
    await release();
  }
}

export interface WorkersDeps {
  readonly options: SuperviseOptions;
  readonly registry: WorkerRegistry;
  readonly budgets: StartBudgets;
  /** Sequences of the commands that a worker has not taken yet. */
  readonly waitingCommands: (peerId: string) => readonly number[];
  /** How far a worker's report has been examined. */
  readonly reportState: (peerId: string) => ReportState;
}

/** Makes the function that ends a worker's process on purpose. */
const stopping =
  ({ watch, options, registry }: Parts) =>
  async (peerId: string): Promise<boolean> => {
    const process = registry.processOf(peerId);
    if (process === undefined) return false;
    watch.expectEnd(process.bootId);
    await endProcess(process);
    options.touch();
    await watch.whenOver(peerId, process.bootId);
    return true;
  };

/** The starts in the log, to find starts that an earlier daemon did not finish. */
const knownStarts = (registry: WorkerRegistry): KnownStarts => ({
  isKnown: (peerId) => (registry.get(peerId)?.spawned ?? null) !== null,
  worksIn: (peerId, path) => {
    const worker = registry.get(peerId);
    return worker?.spawned?.worktree?.path === path && worker.worktree !== "cleared";
  },
});

/** Events after which a worker may have ended, or its worktree may no longer be needed. */
const END_TOPICS = [
  "system.worker.accepted",
  "system.worker.alert",
  "system.worker.completed",
  "system.worker.terminated",
  "system.worker.verified",
  "worker.*.complete",
  "cmd.*.abort",
];

interface Reacting {
  readonly restarts: Restarts;
  readonly worktrees: WorktreeKeeper;
  readonly keeper: DoorKeeper;
}

/** Reacts to the end of a worker: closes its socket and looks at its worktree. */
const createReaction =
  ({ restarts, worktrees, keeper }: Reacting): NonNullable<BusExtension["react"]> =>
  ({ topic, from, payload }) => {
    const [family, id = ""] = topic.split(".");
    if (family !== "system") {
      restarts.endMeanwhile(id, family === "cmd" ? "aborted" : "complete");
      return worktrees.settle(id);
    }
    const peerId = nonEmptyText(fieldsOf(payload)["peerId"]);
    if (from !== "server" || peerId === undefined) return undefined;
    if (topic === "system.worker.terminated") keeper.ended(peerId);
    return topic === "system.worker.accepted" ? worktrees.settleAgain(peerId) : worktrees.settle(peerId);
  };

export function createWorkers(host: BusHost, deps: WorkersDeps): Workers {
  const { options, registry } = deps;
  const watch = createProcessWatch(host, registry, createSettle(options, deps.budgets));
  const parts: Parts = { ...deps, host, watch, reserved: new Set(), ports: new Set() };
  const stopWorkerProcess = stopping(parts);
  const restarts = createRestarts(parts, {
    stop: stopWorkerProcess,
    whenFree: (peerId) => worktrees.whenFree(peerId),
    notStarted: (peerId) => worktrees.settle(peerId),
  });
  const isRestarting = (peerId: string): boolean => restarts.isRestarting(peerId);
  const isBusy = (peerId: string): boolean => isRestarting(peerId) || registry.processOf(peerId) !== undefined;
  const worktrees = createWorktreeKeeper({ ...parts, isBusy, reportState: deps.reportState });
  const once = createStartOnce(registry);
  const workers: Omit<Workers, "extension"> = {
    spawn: (request, peer) =>
      once.run(startKeyOf(peer.speaksFor ?? peer.id, request.key).start_key, () =>
        spawn(parts, restarts, request, peer),
      ),
    stopWorkerProcess,
    restartWorker: (request) => restarts.restart(request),
    previewRestart: (peerId) => previewRestart(parts, peerId),
    remove: (request) => removeWorker({ ...parts, isRestarting, stop: stopWorkerProcess }, request),
  };
  const processes = (): readonly WorkerProcess[] => registry.processes().filter(({ peerId }) => host.isHere(peerId));
  const keeper = createDoorKeeper(options, { processOf: registry.processOf, processes }, isRestarting);
  const extension: BusExtension = {
    name: "workers",
    requests: workerRequests(workers, parts),
    reactsTo: END_TOPICS,
    react: createReaction({ restarts, worktrees, keeper }),
    start: () => {
      takeBackStarts(options.folder, knownStarts(registry)).catch((error: unknown) =>
        options.report(`a start: ${String(error)}`),
      );
      watch.start();
      keeper.start();
      worktrees.start();
    },
    checkDue: () => watch.checkDue(),
  };
  return { ...workers, extension };
}
