import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createHash } from "node:crypto";
import type { JobWorktree } from "claw-contract";
import { hasLifeEnded, isLost, LIMITS } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import { nodeFileSystem, readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { takeBack } from "./worktrees/worktree-git.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { PermittedSpawn, SpawnedWorker } from "./launch-worker.ts";

/**
 * The file, in the folder of a worker that is not in the log yet, with the worktree that is being made for the worker.
 */
const markIn = (folder: string): string => join(folder, "starting.json");

export function markLaunch(folder: string, worktree: JobWorktree): void {
  const path = markIn(folder);
  withFileErrors("save", path, () => writeFileAtomically(nodeFileSystem, path, `${JSON.stringify(worktree)}\n`));
}

/** Removes the mark: from now on the worker is in the log, or its worktree is gone. */
export function unmarkStart(folder: string): void {
  rmSync(markIn(folder), { force: true });
}

/** Only worktrees that the daemon made are ever removed, whatever a file says that may have come with the folder. */
const isOurs = ({ path, branch }: JobWorktree, claws: string): boolean =>
  dirname(resolve(path)) === join(claws, "worktrees") && branch.startsWith("claw/");

export interface KnownStarts {
  /** Whether the worker is in the log. */
  readonly isKnown: (peerId: string) => boolean;
  /** Whether a known worker works in the worktree of that path. */
  readonly worksIn: (peerId: string, path: string) => boolean;
}

/** Removes the files of starts that were interrupted before their worker was in the log. No worker has worked there. */
export async function takeBackStarts(claws: string, { isKnown, worksIn }: KnownStarts): Promise<void> {
  const workers = join(claws, "workers");
  for (const peerId of existsSync(workers) ? readdirSync(workers) : []) {
    const folder = join(workers, peerId);
    // The daemon writes the file as a whole. Other content does not come from the daemon and is ignored.
    const worktree = readJsonFile<JobWorktree>(markIn(folder), LIMITS.settingsBytes) as JobWorktree | undefined;
    if (worktree === undefined || !isOurs(worktree, claws)) continue;
    if (!worksIn(peerId, worktree.path)) await takeBack(worktree);
    if (isKnown(peerId)) unmarkStart(folder);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a request names the place that a worker worked in. A worktree that is gone can be made again. */
function isSamePlace(request: PermittedSpawn, { cwd, worktree }: WorkerSpawned): boolean {
  if ((request.worktree === null) !== (worktree === null)) return false;
  const place = worktree === null ? cwd : join(worktree.repository, relative(worktree.path, cwd));
  return existsSync(place) && realpathSync(place) === realpathSync(request.cwd);
}

/**
 * The worker that a start continues: a worker of the same name whose process ended before a report, and for which no
 * restart is planned. The work has to be the same as far as the next life can tell: the same agent, in the same place,
 * for the same fleet and parent.
 */
export function findCrashed(
  registry: Pick<WorkerRegistry, "find">,
  request: PermittedSpawn,
): RegisteredWorker | undefined {
  const worker = request.name === null ? undefined : registry.find(request.name);
  if (worker === undefined || worker.spawned === null) return undefined;
  if (!isLost(worker.life) || !hasLifeEnded(worker.life)) return undefined;
  const { harness, mode, fleet: crew } = worker.spawned;
  const isSame =
    worker.name === request.name &&
    worker.parentId === request.parent_id &&
    crew === request.fleet &&
    harness === request.harness &&
    mode === request.mode;
  return isSame && isSamePlace(request, worker.spawned) ? worker : undefined;
}

/** Starts that carry a key: each starts one worker, however often its caller repeats the request. */
export interface StartOnce {
  /**
   * Runs the start, unless the key names a worker that has started or is being started; then the result is about that
   * worker. A start that failed may be tried again. Without a key, the start runs.
   */
  run(startKey: string | undefined, start: () => Promise<SpawnedWorker>): Promise<SpawnedWorker>;
}

/** What the log says of a key. It holds a hash, because the key is the caller's. */
export const startKeyOf = (peerId: string, key: string | null): { readonly start_key?: string } =>
  key === null ? {} : { start_key: createHash("sha256").update(`${peerId}\0${key}`).digest("hex") };

function startedWith({ all }: Pick<WorkerRegistry, "all">, startKey: string): SpawnedWorker | undefined {
  const spawned = all().find((worker) => worker.spawned?.start_key === startKey)?.spawned ?? null;
  if (spawned === null) return undefined;
  const { peerId, name, pid, bootId, attempt, folder, worktree } = spawned;
  return { peerId, name, pid: pid ?? 0, bootId, attempt, folder, worktree };
}

export function createStartOnce(registry: Pick<WorkerRegistry, "all">): StartOnce {
  const starting = new Map<string, Promise<SpawnedWorker>>();
  return {
    run: async (startKey, start) => {
      if (startKey === undefined) return start();
      const known = startedWith(registry, startKey);
      if (known !== undefined) return known;
      const running = starting.get(startKey) ?? start();
      starting.set(startKey, running);
      return running.finally(() => starting.delete(startKey));
    },
  };
}
