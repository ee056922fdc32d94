import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { WorkerJob } from "claw-contract";
import { ClawError } from "claw-contract";
import { wordFor } from "../worker-registry/ended-worker.ts";
import { unmarkStart } from "./earlier-starts.ts";
import { openDoor } from "./worker-doors.ts";
import type { NextLife, SpawnedWorker, Parts, PermittedSpawn } from "./launch-worker.ts";
import { launchWorker, requireMoney } from "./launch-worker.ts";
import { giveBackPort, lacksWorktree, placeAgain } from "./place-worker.ts";
import type { WorkerPlace } from "./worker-job.ts";
import { announcedOf, commandsFor, jobOf } from "./worker-job.ts";
import { readJobOf } from "./worker-process.ts";
import { takeBack } from "./worktrees/worktree-git.ts";

export interface RestartRequest {
  readonly peerId: string;
  readonly reason: string;
  /** A new request for the worker; without it, the worker starts as before. */
  readonly spawn?: PermittedSpawn;
  /** Whether a person asks for the restart. Then the worker starts anew even when its last life completes meanwhile. */
  readonly isAsked: boolean;
}

/** How a worker's work can end during a restart. */
export type EndMeanwhile = "aborted" | "complete";

interface Ending {
  /** Resolves when the worker's worktree is not being removed. */
  readonly whenFree: () => Promise<void>;
  readonly stop: () => Promise<boolean>;
  /** How the worker's work ended since the restart was requested; undefined when the work did not end. */
  readonly endedBy: () => EndMeanwhile | undefined;
}

/** The worker's last start. Throws WORKER_NOT_FOUND, or WORKER_ENDED when the folder it worked in is gone. */
function requireBefore({ registry }: Parts, peerId: string) {
  const worker = registry.get(peerId);
  const spawned = worker?.spawned ?? null;
  const job = spawned === null ? undefined : readJobOf(spawned.folder);
  const about = { operation: "restart_worker", target: peerId } as const;
  if (worker === undefined || spawned === null || job === undefined) {
    throw new ClawError("WORKER_NOT_FOUND", `${peerId} was not started here`, about);
  }
  if (!existsSync(job.cwd) && !lacksWorktree(job, worker)) {
    const hint = `Start another worker with claw spawn; remove this one with claw rm ${wordFor(registry, worker)}.`;
    throw new ClawError("WORKER_ENDED", `the folder of ${job.name} no longer exists: ${job.cwd}`, { ...about, hint });
  }
  return { job, spawned, worker };
}

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Throws when the worker has spent its budget, unless the new request has another budget. */
function requireOwnMoney({ budgets }: Parts, { peerId, spawn }: RestartRequest, name: string, budget: unknown): void {
  const message = spawn === undefined || isSameJson(spawn.budget, budget) ? budgets.refusal(peerId) : undefined;
  requireMoney(message === undefined ? undefined : { code: "BUDGET_EXCEEDED", message }, name);
}

/** The worker and the number of its next life. Throws the reason when the worker cannot be started anew. */
export function previewRestart(parts: Parts, peerId: string) {
  const { job, spawned } = requireBefore(parts, peerId);
  requireOwnMoney(parts, { peerId, reason: "", isAsked: true }, job.name, spawned.budget);
  return { peerId, name: job.name, attempt: spawned.attempt + 1 };
}

async function nextLife(
  parts: Parts,
  { peerId, reason, spawn }: RestartRequest,
  place: WorkerPlace & Pick<WorkerJob, "bootId">,
): Promise<NextLife> {
  const { host, options } = parts;
  const { job: before, spawned } = requireBefore(parts, peerId);
  const { name, cwd, worktree, bootId } = place;
  const life = { bootId, attempt: spawned.attempt + 1, reason };
  const env = { ...before.env, ...place.env };
  const wanted = spawn === undefined ? { ...before, cwd, worktree, env } : jobOf(parts, spawn, place);
  const job: WorkerJob = {
    ...wanted,
    ...life,
    resumeToken: host.issueResumeToken({ peerId, bootId: life.bootId, role: "worker", name }),
    bearer: options.bearerFor(name),
    socket: options.socket,
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    commands: commandsFor(parts, peerId),
    env: { ...wanted.env, ...(await openDoor(options, wanted)) },
  };
  if (spawn !== undefined) return { job, announced: { ...announcedOf(job, spawn, options), ...life } };
  const { pid: _pid, ts: _ts, ...known } = spawned;
  const teardown = spawned.worktree?.["teardown"];
  const where = { cwd, worktree: worktree === null ? null : { ...worktree, teardown } };
  return { job, announced: { ...known, ...where, permission_mode: before.permissionMode, ...life } };
}

/**
 * Whether an end during a restart stops the restart. A planned restart does not restart a worker that completed
 * meanwhile.
 */
export const isGivenUp = ({ isAsked }: Pick<RestartRequest, "isAsked">, end: EndMeanwhile | undefined): boolean =>
  end === "aborted" || (end === "complete" && !isAsked);

/**
 * Prepares the place of the next life and starts the life there. When the start fails, a worktree made for it is
 * removed.
 */
async function launchAgain(parts: Parts, request: RestartRequest): Promise<SpawnedWorker> {
  const { job: before, worker } = requireBefore(parts, request.peerId);
  const isNew = lacksWorktree(before, worker);
  const place = await placeAgain(parts, before, worker);
  try {
    const { folder, peerId, name } = place;
    const bootId = randomUUID();
    const prepare = (): Promise<NextLife> => nextLife(parts, request, { ...place, bootId });
    return await launchWorker(parts, { folder, peerId, name, bootId }, prepare);
  } catch (cause) {
    if (isNew && place.worktree !== null) await takeBack(place.worktree);
    throw cause;
  } finally {
    unmarkStart(before.folder);
    if (isNew) giveBackPort(parts, place);
  }
}

async function restart(parts: Parts, request: RestartRequest, ending: Ending): Promise<SpawnedWorker> {
  const { peerId } = request;
  const { whenFree, stop, endedBy } = ending;
  await whenFree();
  const { job: before, spawned } = requireBefore(parts, peerId);
  requireOwnMoney(parts, request, before.name, spawned.budget);
  await stop();
  if (isGivenUp(request, endedBy())) {
    throw new ClawError("WORKER_ENDED", `${before.name} ended or was stopped before it was started again`, {
      operation: "restart_worker",
      target: peerId,
    });
  }
  return launchAgain(parts, request);
}

export interface Restarts {
  /** Restarts a worker, once at a time: further callers during the restart get the same result. */
  restart(request: RestartRequest): Promise<SpawnedWorker>;
  isRestarting(peerId: string): boolean;
  /** Notes that a worker completed or was aborted. A restart under way may then be given up. */
  endMeanwhile(peerId: string, end: EndMeanwhile): void;
}

export interface RestartDeps {
  /** Ends the worker's process. Resolves when the process is gone; with false when no process ran. */
  readonly stop: (peerId: string) => Promise<boolean>;
  /** Resolves when the worker's worktree is not being removed. */
  readonly whenFree: (peerId: string) => Promise<void>;
  /** Called for a worker that was not started anew after all. */
  readonly notStarted: (peerId: string) => void;
}

export function createRestarts(parts: Parts, { stop, whenFree, notStarted }: RestartDeps): Restarts {
  const restarting = new Map<string, Promise<SpawnedWorker>>();
  const over = new Map<string, EndMeanwhile>();
  return {
    restart: (request) => {
      const { peerId } = request;
      const running = restarting.get(peerId);
      if (running !== undefined) return running;
      const ending = {
        whenFree: () => whenFree(peerId),
        stop: () => stop(peerId),
        endedBy: () => over.get(peerId),
      };
      const started = restart(parts, request, ending).finally(() => {
        restarting.delete(peerId);
        over.delete(peerId);
      });
      started
        .catch(() => {
          notStarted(peerId);
          return parts.options.doors.close(peerId);
        })
        .catch(() => undefined);
      restarting.set(peerId, started);
      return started;
    },
    isRestarting: (peerId) => restarting.has(peerId),
    endMeanwhile: (peerId, end) => {
      if (restarting.has(peerId) && over.get(peerId) !== "aborted") over.set(peerId, end);
    },
  };
}
