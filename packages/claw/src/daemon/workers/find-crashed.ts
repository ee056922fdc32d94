import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { hasLifeEnded, isLost } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { PermittedSpawn } from "./launch-worker.ts";

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
