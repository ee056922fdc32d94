import type { ReplyFields, WorkerJob, ReadRequest } from "claw-contract";
import { ClawError } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import type { BusHost } from "../../bus/index.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { ProcessWatch } from "./process-watch.ts";
import type { NewProcess } from "./worker-process.ts";
import { startProcess, writeJob } from "./worker-process.ts";
import type { Budgets, SpawnRefusal } from "../supervision/budgets/budgets.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";

/** A request for a new worker. */
export type SpawnRequest = Omit<ReadRequest<"worker.spawn">, "on">;

/** A request that the rules permit: the folder exists, and the parent is a peer id. */
export type PermittedSpawn = SpawnRequest & {
  readonly cwd: string;
  /** Hash of the caller and its key; undefined for a request without a key. */
  readonly start_key?: string;
};

/** The budgets, as far as starting workers needs them. */
export type StartBudgets = Pick<Budgets, "refuseSpawn" | "refusal" | "reportedTokens">;

/** Parts of the daemon that starting a worker needs. */
export interface Parts extends Launch {
  readonly registry: WorkerRegistry;
  readonly budgets: StartBudgets;
  readonly waitingCommands: (peerId: string) => readonly number[];
  /** Ports of workers that are being started. */
  readonly ports: Set<number>;
  /** Names of workers that are being started. */
  readonly reserved: Set<string>;
}

export function requireMoney(refusal: SpawnRefusal | undefined, target: string): void {
  if (refusal === undefined) return;
  throw new ClawError(refusal.code, refusal.message, { operation: "start_worker", target });
}

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

/** A life that is about to begin: its job, and the payload of its `system.worker.spawned`. */
export interface NextLife {
  readonly job: WorkerJob;
  readonly announced: Announced;
}

/**
 * Starts a worker's process, prepares its life, stores `system.worker.spawned`, and lets the process begin. This order
 * ensures that a worker publishes no event before its start is in the log. A daemon that dies in between leaves a
 * process that never begins.
 */
export async function launchWorker(
  launch: Launch,
  process: NewProcess,
  prepare: () => Promise<NextLife>,
): Promise<SpawnedWorker> {
  const { folder, peerId, bootId } = process;
  const started = await startProcess(process, launch.options);
  try {
    // Serves the row `claw spawn until boot`: Node needs longer to start than all that is done here meanwhile.
    const { job, announced } = await prepare();
    writeJob(folder, job);
    await publishSpawned(launch, { ...announced, pid: started.pid, ts: launch.host.timestamp() });
    launch.watch.follow(peerId, bootId, started.exited);
    started.go();
    const { name, worktree, attempt } = announced;
    return { peerId, name, pid: started.pid, bootId, attempt, folder, worktree };
  } catch (error) {
    started.forget();
    throw error;
  }
}
