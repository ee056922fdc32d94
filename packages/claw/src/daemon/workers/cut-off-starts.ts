import { existsSync, readdirSync, rmSync, realpathSync } from "node:fs";
import { dirname, join, resolve, relative } from "node:path";
import type { JobWorktree } from "claw-contract";
import { LIMITS, hasLifeEnded, isLost } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import { nodeFileSystem, readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { takeBack } from "./worktrees/worktree-git.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { PermittedSpawn } from "./launch-worker.ts";

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
