import type { ReplyFields, WorkerJob } from "claw-contract";
import { ClawError } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import type { BusHost } from "../../bus/index.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { ProcessWatch } from "./process-watch.ts";
import { startProcess, writeJob } from "./worker-process.ts";

/** A worker that was started. */
export type SpawnedWorker = ReplyFields<"worker.spawn">;

export interface Launch {
  readonly host: BusHost;
  readonly options: SuperviseOptions;
  readonly watch: ProcessWatch;
}

type Known<Shape> = { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] };

/** The payload of `system.worker.spawned` without the process. */
export type Announced = Omit<Known<WorkerSpawned>, "pid" | "ts"> & { readonly permission_mode: string | null };

function publishSpawned({ host }: Launch, payload: WorkerSpawned): Promise<void> {
  return new Promise((resolve, reject) => {
    host.publish([{ topic: "system.worker.spawned", payload }], (outcome) => {
      if (!(outcome instanceof Error)) return resolve();
      return reject(
        new ClawError("PUBLISH_NOT_STORED", "the start of the worker was not stored", {
          operation: "spawn_worker",
          target: payload.name,
          cause: outcome,
        }),
      );
    });
  });
}

/**
 * Starts a worker's process, stores `system.worker.spawned`, and lets the process begin. This order ensures that a
 * worker publishes no event before its start is in the log. A daemon that dies in between leaves a process that never
 * begins.
 */
export async function launchWorker(launch: Launch, job: WorkerJob, announced: Announced): Promise<SpawnedWorker> {
  const { folder } = announced;
  const started = await startProcess(folder, job, launch.options);
  try {
    // The process reads the job once it may begin. Starting a process takes longer than writing a file.
    writeJob(folder, job);
    await publishSpawned(launch, { ...announced, pid: started.pid, ts: launch.host.timestamp() });
  } catch (error) {
    started.forget();
    throw error;
  }
  launch.watch.follow(job.peerId, job.bootId, started.exited);
  started.go();
  const { name, worktree, attempt } = announced;
  return { peerId: job.peerId, name, pid: started.pid, bootId: job.bootId, attempt, folder, worktree };
}
