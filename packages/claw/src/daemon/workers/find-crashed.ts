import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { Fleet, FleetWorker } from "../fleet/fleet.ts";
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
export function findCrashed(fleet: Pick<Fleet, "find">, order: WorkerOrder): FleetWorker | undefined {
  const worker = order.name === undefined ? undefined : fleet.find(order.name);
  if (worker?.crashed !== true || !worker.ended || worker.spawned === null) return undefined;
  const { harness, mode, fleet: crew } = worker.spawned;
  const isSame =
    worker.name === order.name &&
    worker.parentId === order.parentId &&
    crew === order.fleet &&
    harness === order.harness &&
    mode === order.mode;
  return isSame && isSamePlace(order, worker.spawned) ? worker : undefined;
}
