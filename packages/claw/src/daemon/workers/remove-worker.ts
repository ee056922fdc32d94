import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReplyFields } from "claw-contract";
import { ClawError, hasLifeEnded, shellQuote } from "claw-contract";
import type { BusHost } from "../../bus/index.ts";
import { withFileErrors } from "../../files/index.ts";
import { wordFor } from "../worker-registry/ended-worker.ts";
import type { RegisteredWorker, WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import { clearWorktree } from "./worktrees/worktree-keeper.ts";

export interface RemoveDeps {
  readonly host: BusHost;
  readonly registry: WorkerRegistry;
  readonly options: SuperviseOptions;
  /** Whether the worker is being started anew right now. */
  readonly isRestarting: (peerId: string) => boolean;
  /** Ends the worker's process when the worker has reported but still runs. */
  readonly stop: (peerId: string) => Promise<boolean>;
}

export interface RemoveRequest {
  readonly worker: RegisteredWorker;
  /** Peer that requests the removal. */
  readonly by: string;
  readonly dryRun: boolean;
}

export type RemovedWorker = ReplyFields<"worker.remove">;

/**
 * Throws WORKER_RUNNING unless the worker has ended. A worker that the daemon did not start has no process here:
 * without a report, it counts as running while it is connected.
 */
function requireEnded({ host, registry, isRestarting }: RemoveDeps, worker: RegisteredWorker): void {
  const { peerId, name, spawned, life } = worker;
  const ended = hasLifeEnded(life);
  const isOver = spawned === null ? ended || !host.peers.has(peerId) : ended && !isRestarting(peerId);
  if (isOver) return;
  throw new ClawError("WORKER_RUNNING", `${name} has not ended`, {
    operation: "remove_worker",
    target: peerId,
    hint: `Stop the worker first: claw abort ${wordFor(registry, worker)}.`,
  });
}

function holdsWork({ registry }: RemoveDeps, worker: RegisteredWorker, path: string, reason: string): ClawError {
  const [word, place] = [wordFor(registry, worker), shellQuote(path)];
  return new ClawError("WORKTREE_HOLDS_WORK", `${path} stays: ${reason}`, {
    operation: "remove_worker",
    target: worker.peerId,
    hint: `See the work: claw diff ${word}. Merge it: claw merge ${word}. Throw it away: git worktree remove --force ${place}.`,
  });
}

/** The folder of a worker; undefined for a folder outside of the workspace, which a log from elsewhere may name. */
function ownFolder(claws: string, spawned: RegisteredWorker["spawned"]): string | undefined {
  const folder = spawned === null ? "" : resolve(spawned.folder);
  return dirname(folder) === join(claws, "workers") ? folder : undefined;
}

function publishRemoved({ host }: RemoveDeps, { worker: { peerId, name }, by }: RemoveRequest): Promise<void> {
  const payload = { peerId, name, by, ts: host.timestamp() };
  return new Promise((resolve, reject) => {
    host.publish([{ topic: "system.worker.removed", payload }], (outcome) => {
      if (!(outcome instanceof Error)) return resolve();
      return reject(
        new ClawError("PUBLISH_NOT_STORED", "the removal of the worker was not stored", {
          operation: "remove_worker",
          target: peerId,
          cause: outcome,
        }),
      );
    });
  });
}

/**
 * Removes an ended worker: first a worktree without work, then the worker's folder, last its entry in the registry. So
 * an interrupted call can be repeated. Rejects with WORKER_RUNNING, and with WORKTREE_HOLDS_WORK before any file is
 * removed.
 */
export async function removeWorker(deps: RemoveDeps, request: RemoveRequest): Promise<RemovedWorker> {
  const { worker, dryRun } = request;
  const { peerId, name, spawned } = worker;
  requireEnded(deps, worker);
  const folder = ownFolder(deps.options.folder, spawned);
  // After the worktree was removed, its path may belong to another worker.
  const isCleared = worker.worktree === "cleared";
  const place = isCleared ? undefined : spawned?.worktree?.path;
  const paths = [place, folder].filter((path) => path !== undefined);
  const removed = { peerId, name, paths: paths.filter((path) => existsSync(path)) };
  if (!dryRun) await deps.stop(peerId);
  if (spawned !== null && spawned.worktree !== null && !isCleared) {
    const removal = await clearWorktree(spawned, deps.options, dryRun);
    if (removal.kind === "kept") throw holdsWork(deps, worker, spawned.worktree.path, removal.reason);
  }
  if (dryRun) return removed;
  if (folder !== undefined) withFileErrors("delete", folder, () => rmSync(folder, { recursive: true, force: true }));
  await publishRemoved(deps, request);
  return removed;
}
