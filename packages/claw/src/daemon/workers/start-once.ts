import { createHash } from "node:crypto";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { SpawnedWorker } from "./launch-worker.ts";

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
