import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkerJob } from "claw-contract";
import { hasLifeEnded, LIMITS } from "claw-contract";
import { createServer } from "node:net";
import type { RegisteredWorker } from "../worker-registry/worker-registry.ts";
import type { WorktreePlan } from "./worktrees/make-worktree.ts";
import { makeWorktree, portVariables, prepareWorktree } from "./worktrees/make-worktree.ts";
import type { WorkerPlace } from "./worker-job.ts";
import type { Parts } from "./launch-worker.ts";

const LOOPBACK = "127.0.0.1";

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

/**
 * A free port that is leased to no worker; null when there is none. The port stays in `reserved` until the caller
 * removes it, so two concurrent callers get two ports.
 */
export async function leasePort(reserved: Set<number>, isLeased: (port: number) => boolean): Promise<number | null> {
  for (let offset = 0; offset < LIMITS.workerPorts; offset += 1) {
    const port = LIMITS.workerPortFirst + offset;
    if (reserved.has(port) || isLeased(port)) continue;
    reserved.add(port);
    if (await canListen(port)) return port;
    reserved.delete(port);
  }
  return null;
}

type FoundPlace = Omit<WorkerPlace, "cwd" | "env" | "worktree">;

interface WantedPlace {
  readonly cwd: string;
  readonly worktree: WorktreePlan | null;
}

/** Whether a worker holds this port: it has not ended, or may be sent back to a worktree that listens at the port. */
const holdsPort = ({ life, spawned, worktree }: RegisteredWorker, port: number): boolean =>
  spawned?.worktree?.port === port &&
  (!hasLifeEnded(life) || (worktree !== "cleared" && existsSync(spawned.worktree.path)));

/** Finds the place of a worker: the named folder, or a new worktree. */
export async function findPlace(parts: Parts, { cwd, worktree }: WantedPlace, found: FoundPlace): Promise<WorkerPlace> {
  if (worktree === null) return { ...found, cwd, env: {}, worktree: null };
  const isLeased = (port: number): boolean => parts.registry.all().some((worker) => holdsPort(worker, port));
  const port = await leasePort(parts.ports, isLeased);
  const { name, folder } = found;
  const { umask, folder: claws } = parts.options;
  try {
    return { ...found, ...(await makeWorktree({ cwd, claws, name, plan: worktree, port, folder, umask })) };
  } catch (error) {
    if (port !== null) parts.ports.delete(port);
    throw error;
  }
}

/** Frees a port that was leased for a start: from now on the log says which worker has the port. */
export function giveBackPort({ ports }: Parts, { worktree }: Pick<WorkerPlace, "worktree">): void {
  if (worktree !== null && worktree.port !== null) ports.delete(worktree.port);
}

/** Whether the worker's worktree is removed and has to be made again for the next life. */
export const lacksWorktree = ({ worktree }: WorkerJob, known: Pick<RegisteredWorker, "worktree">): boolean =>
  worktree !== null && (known.worktree === "cleared" || !existsSync(worktree.path));

/**
 * The place of a worker's next life. A removed worktree is made again from the commit that is checked out in the
 * repository now; a worktree in which tear-down commands were run is set up again. Rejects as `makeWorktree` does.
 */
export async function placeAgain(parts: Parts, job: WorkerJob, known: RegisteredWorker): Promise<WorkerPlace> {
  const { peerId, name, folder, cwd, worktree } = job;
  const place = { peerId, name, folder, cwd, worktree, env: portVariables(worktree?.port ?? null) };
  if (worktree === null) return place;
  const plan = { include: job.include, setup: job.setup, teardown: job.teardown };
  if (!lacksWorktree(job, known)) {
    const { umask } = parts.options;
    if (known.tornDown === true) await prepareWorktree({ worktree, env: place.env }, { plan, folder, umask });
    return place;
  }
  const meant = join(worktree.repository, relative(worktree.path, cwd));
  const wanted = { cwd: existsSync(meant) ? meant : worktree.repository, worktree: plan };
  return findPlace(parts, wanted, { peerId, name, folder });
}
