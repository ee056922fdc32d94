import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { Fleet, FleetWorker } from "../fleet/fleet.ts";
import type { PermittedSpawn } from "./worker-parts.ts";

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
export function findCrashed(fleet: Pick<Fleet, "find">, request: PermittedSpawn): FleetWorker | undefined {
  const worker = request.name === null ? undefined : fleet.find(request.name);
  if (worker?.crashed !== true || !worker.ended || worker.spawned === null) return undefined;
  const { harness, mode, fleet: crew } = worker.spawned;
  const isSame =
    worker.name === request.name &&
    worker.parentId === request.parent_id &&
    crew === request.fleet &&
    harness === request.harness &&
    mode === request.mode;
  return isSame && isSamePlace(request, worker.spawned) ? worker : undefined;
}
