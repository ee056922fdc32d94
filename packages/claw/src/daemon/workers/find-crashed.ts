import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { hasEnded, isLost } from "@claw/contract";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { WorkerOrder } from "./worker-order.ts";

/** Whether a request names the place that a worker worked in. A worktree that is gone can be made again. */
function isSamePlace(order: WorkerOrder, { cwd, worktree }: WorkerSpawned): boolean {
  if ((order.worktree === null) !== (worktree === null)) return false;
  const place = worktree === null ? cwd : join(worktree.repository, relative(worktree.path, cwd));
  return existsSync(place) && realpathSync(place) === realpathSync(order.cwd);
}

/**
 * The worker that a start continues: a worker of the same name whose process ended before a report, and for which no
 * restart is planned. The work has to be the same as far as the next life can tell: the same agent, in the same place,
 * for the same fleet and parent.
 */
export function findCrashed(registry: Pick<WorkerRegistry, "find">, order: WorkerOrder): RegisteredWorker | undefined {
  const worker = order.name === undefined ? undefined : registry.find(order.name);
  if (worker === undefined || worker.spawned === null) return undefined;
  if (!isLost(worker.life) || !hasEnded(worker.life)) return undefined;
  const { harness, mode, fleet: crew } = worker.spawned;
  const isSame =
    worker.name === order.name &&
    worker.parentId === order.parentId &&
    crew === order.fleet &&
    harness === order.harness &&
    mode === order.mode;
  return isSame && isSamePlace(order, worker.spawned) ? worker : undefined;
}
