import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { WorkerJob } from "@claw/contract";
import { ClawError, LIMITS } from "@claw/contract";
import type { BusContext, BusExtension, Peer } from "../../bus/index.ts";
import { fieldsOf, textOf } from "../../bus/index.ts";
import { isRunning, signalTo } from "../../process/index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import type { Launch, SpawnedWorker } from "./launch-worker.ts";
import { launchWorker } from "./launch-worker.ts";
import { createDoorKeeper, openDoor } from "./door-keeper.ts";
import { takeBackStarts, unmarkStart } from "./cut-off-starts.ts";
import { makeWorktree } from "./make-worktree.ts";
import { takeBack } from "./worktree-git.ts";
import { permitOrder } from "./order-rules.ts";
import type { Place } from "./worker-job.ts";
import { announcedOf, commandsFor, jobOf, workerRedactor } from "./worker-job.ts";
import { leasePort } from "./free-port.ts";
import { createProcessWatch } from "./process-watch.ts";
import { tearDown } from "./tear-down.ts";
import { workerCommands } from "./worker-commands.ts";
import type { WorkerLife } from "./worker-lives.ts";
import { createWorkerLives } from "./worker-lives.ts";
import { freeName, nameFor } from "./worker-name.ts";
import type { WorkerOrder } from "./worker-order.ts";
import { makeWorkerFolder, readIdentity, readJob } from "./worker-process.ts";

/** Starts workers and watches over their processes. */
export interface Workers {
  readonly extension: BusExtension;
  /** Starts a worker for a peer. Rejects with what stands against it; nothing is left behind then. */
  spawn(order: WorkerOrder, peer: Peer): Promise<SpawnedWorker>;
  /** Starts a worker anew as the same peer; one that still runs is ended first. Rejects with WORKER_NOT_FOUND. */
  restartWorker(peerId: string, reason: string): Promise<SpawnedWorker>;
  /** Ends a worker's process. Resolves when it is gone and everybody was told; false when none ran. */
  stopWorkerProcess(peerId: string): Promise<boolean>;
}

/** Whether there is money for a worker. */
export interface Purse {
  /** Why a worker may not be started like this; undefined when it may. */
  refuseSpawn(
    order: Pick<WorkerOrder, "harness" | "model" | "budget" | "parentId" | "fleet">,
  ): PurseRefusal | undefined;
  /** Why a worker may spend nothing more; undefined when it may. */
  refusal(peerId: string): string | undefined;
}

export interface PurseRefusal {
  readonly code: "BUDGET_EXCEEDED" | "BUDGET_UNMEASURABLE";
  readonly message: string;
}

interface Parts extends Launch {
  readonly fleet: Fleet;
  readonly purse: Purse;
  readonly waitingCommands: (peerId: string) => readonly number[];
  /** Ports of workers that are being started. */
  readonly ports: Set<number>;
  /** Names of workers that are being started. */
  readonly reserved: Set<string>;
}

function refuseMany({ fleet, reserved }: Parts): void {
  const running = fleet.all().filter(({ ended, spawned }) => !ended && spawned !== null).length;
  if (running + reserved.size < LIMITS.workersRunning) return;
  throw new ClawError("PERMISSION_DENIED", `${LIMITS.workersRunning} workers run already`, {
    operation: "spawn_worker",
    target: "workers",
    hint: "Wait until some are done, or end them: claw ps.",
  });
}

function chooseName({ fleet, reserved, options }: Parts, { name, mission, harness, env }: WorkerOrder): string {
  const isTaken = (each: string): boolean =>
    reserved.has(each) || fleet.all().some((worker) => worker.name === each && !worker.ended);
  if (name === undefined) {
    // Everybody sees the name.
    const told = workerRedactor(options.env, { env }).redactText(mission);
    return freeName(nameFor(told, harness), isTaken);
  }
  if (!isTaken(name)) return name;
  throw new ClawError("WORKER_NAME_TAKEN", `a worker called ${name} runs already`, {
    operation: "spawn_worker",
    target: name,
  });
}

/** An agent in a terminal says nobody what it spends, so a limit of its own would never hold. */
const unmeasured = ({ mode, budget }: WorkerOrder): PurseRefusal | undefined =>
  mode === "interactive" && budget !== null
    ? { code: "BUDGET_UNMEASURABLE", message: "an interactive worker does not say what it spends" }
    : undefined;

function requireMoney(refusal: PurseRefusal | undefined, target: string): void {
  if (refusal === undefined) return;
  throw new ClawError(refusal.code, refusal.message, { operation: "start_worker", target });
}

type Found = Omit<Place, "cwd" | "env" | "worktree">;

/** Where the worker works: in the folder that was named, or in a worktree made for it. */
async function findPlace(parts: Parts, order: WorkerOrder, found: Found): Promise<Place> {
  if (order.worktree === null) return { ...found, cwd: order.cwd, env: {}, worktree: null };
  // Whoever has ended may be sent back to work as long as its worktree is there.
  const isLeased = (port: number): boolean =>
    parts.fleet
      .all()
      .some(({ ended, spawned }) => spawned?.worktree?.port === port && (!ended || existsSync(spawned.worktree.path)));
  const port = await leasePort(parts.ports, isLeased);
  const { name, folder } = found;
  const { umask } = parts.options;
  const request = { cwd: order.cwd, claws: parts.options.folder, name, order: order.worktree, port, folder, umask };
  try {
    return { ...found, ...(await makeWorktree(request)) };
  } catch (error) {
    if (port !== null) parts.ports.delete(port);
    throw error;
  }
}

/** From here on the log says whose port it is. */
function giveBack({ ports }: Parts, { worktree }: Place): void {
  if (worktree !== null && worktree.port !== null) ports.delete(worktree.port);
}

async function spawn(parts: Parts, asked: WorkerOrder, peer: Peer): Promise<SpawnedWorker> {
  const order = permitOrder(asked, peer, parts);
  refuseMany(parts);
  requireMoney(unmeasured(order) ?? parts.purse.refuseSpawn(order), order.name ?? order.harness);
  const name = chooseName(parts, order);
  parts.reserved.add(name);
  try {
    const { peerId, folder } = makeWorkerFolder(parts.options.folder, () => parts.context.nextPeerId());
    const place = await findPlace(parts, order, { peerId, name, folder });
    const door = await openDoor(parts.options, { peerId, name, harness: order.harness });
    const job = jobOf(parts, order, { ...place, env: { ...place.env, ...door } });
    const launching = launchWorker(parts, job, announcedOf(job, order, parts.options));
    return await launching
      .catch(async (cause: unknown) => {
        // Nobody has worked in it; what a failed start leaves would only be in the way.
        if (place.worktree !== null) await takeBack(place.worktree);
        await parts.options.doors.close(peerId);
        throw cause;
      })
      .finally(() => {
        unmarkStart(folder);
        giveBack(parts, place);
      });
  } finally {
    parts.reserved.delete(name);
  }
}

const isAlive = ({ folder, bootId }: WorkerLife): boolean => {
  const identity = readIdentity(folder, bootId);
  return identity !== undefined && isRunning(identity);
};

/** Asks a process to end, and kills it when it takes too long. */
async function endProcess(life: WorkerLife): Promise<void> {
  const identity = readIdentity(life.folder, life.bootId);
  if (identity === undefined || !isAlive(life)) return;
  signalTo(identity.pid, "SIGTERM");
  const deadline = performance.now() + LIMITS.workerStopMs;
  while (isAlive(life)) {
    if (performance.now() > deadline) signalTo(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const POLL_MS = 20;

interface Ending {
  readonly stop: () => Promise<boolean>;
  /** Whether its work came to its end, or somebody stopped it, since it was to be started anew. */
  readonly isOver: () => boolean;
}

async function restart(parts: Parts, peerId: string, reason: string, { stop, isOver }: Ending): Promise<SpawnedWorker> {
  const { context, options, fleet } = parts;
  const spawned = fleet.get(peerId)?.spawned ?? null;
  const before = spawned === null ? undefined : readJob(spawned.folder);
  if (spawned === null || before === undefined) {
    throw new ClawError("WORKER_NOT_FOUND", `${peerId} was not started here`, {
      operation: "restart_worker",
      target: peerId,
    });
  }
  const refusal = parts.purse.refusal(peerId);
  requireMoney(refusal === undefined ? undefined : { code: "BUDGET_EXCEEDED", message: refusal }, before.name);
  await stop();
  if (isOver()) {
    throw new ClawError("WORKER_ENDED", `${before.name} came to its end, or was stopped, before it was started anew`, {
      operation: "restart_worker",
      target: peerId,
    });
  }
  const bootId = randomUUID();
  const attempt = spawned.attempt + 1;
  const resumeToken = context.resume.issue({ peerId, bootId, role: "worker", name: before.name });
  const bearer = options.bearerFor(before.name);
  const commands = commandsFor(parts, peerId);
  const now = { bootId, attempt, reason, resumeToken, bearer, socket: options.socket, commands };
  const env = { ...before.env, ...(await openDoor(options, before)) };
  const job: WorkerJob = { ...before, ...now, env };
  const { pid: _pid, ts: _ts, ...rest } = spawned;
  return launchWorker(parts, job, { ...rest, permission_mode: before.permissionMode, bootId, attempt, reason });
}

interface Restarts {
  /** One at a time for each worker: whoever asks meanwhile gets the same. */
  restart(peerId: string, reason: string): Promise<SpawnedWorker>;
  isRestarting(peerId: string): boolean;
  /** Says that a worker's work came to its end, or was told to; then it is not started anew. */
  endMeanwhile(peerId: string): void;
}

function createRestarts(parts: Parts, stop: (peerId: string) => Promise<boolean>): Restarts {
  const restarting = new Map<string, Promise<SpawnedWorker>>();
  const over = new Set<string>();
  return {
    restart: (peerId, reason) => {
      const running = restarting.get(peerId);
      if (running !== undefined) return running;
      const ending = { stop: () => stop(peerId), isOver: () => over.has(peerId) };
      const started = restart(parts, peerId, reason, ending).finally(() => {
        restarting.delete(peerId);
        over.delete(peerId);
      });
      started.catch(() => parts.options.doors.close(peerId)).catch(() => undefined);
      restarting.set(peerId, started);
      return started;
    },
    isRestarting: (peerId) => restarting.has(peerId),
    endMeanwhile: (peerId) => {
      if (restarting.has(peerId)) over.add(peerId);
    },
  };
}

export interface WorkersDeps {
  readonly options: SuperviseOptions;
  readonly fleet: Fleet;
  readonly purse: Purse;
  /** Sequences of the commands to a worker that it has not taken. */
  readonly waitingCommands: (peerId: string) => readonly number[];
}

export function createWorkers(context: BusContext, deps: WorkersDeps): Workers {
  const { options, fleet } = deps;
  const lives = createWorkerLives();
  const watch = createProcessWatch(context, lives);
  const parts: Parts = { ...deps, context, watch, reserved: new Set(), ports: new Set() };
  const stopWorkerProcess = async (peerId: string): Promise<boolean> => {
    const life = lives.get(peerId);
    if (life === undefined) return false;
    watch.expectEnd(life.bootId);
    await endProcess(life);
    options.touch();
    await watch.whenOver(peerId, life.bootId);
    return true;
  };
  const restarts = createRestarts(parts, stopWorkerProcess);
  const workers: Omit<Workers, "extension"> = {
    spawn: (order, peer) => spawn(parts, order, peer),
    stopWorkerProcess,
    restartWorker: (peerId, reason) => restarts.restart(peerId, reason),
  };
  const keeper = createDoorKeeper(options, lives, (peerId) => restarts.isRestarting(peerId));
  const extension: BusExtension = {
    name: "workers",
    memory: lives.memory,
    commands: workerCommands(workers, fleet, options),
    reactsTo: ["system.worker.accepted", "system.worker.terminated", "worker.*.complete", "cmd.*.abort"],
    react: ({ topic, from, payload }) => {
      const [family, id = ""] = topic.split(".");
      if (family !== "system") return restarts.endMeanwhile(id);
      const peerId = textOf(fieldsOf(payload)["peerId"]);
      if (from !== "server" || peerId === undefined) return;
      if (topic === "system.worker.terminated") return keeper.ended(peerId);
      tearDown(parts, peerId).catch((error: unknown) => options.report(`a worktree stays: ${String(error)}`));
    },
    start: () => {
      const isKnown = (peerId: string): boolean => (fleet.get(peerId)?.spawned ?? null) !== null;
      takeBackStarts(options.folder, isKnown).catch((error: unknown) => options.report(`a start: ${String(error)}`));
      watch.start();
      keeper.start();
    },
    checkDue: () => watch.checkDue(),
  };
  return { ...workers, extension };
}
