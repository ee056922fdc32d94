import type { WorkerJob } from "claw-contract";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import { readJobOf } from "./worker-process.ts";

/**
 * Opens the socket of a worker that is about to start. Resolves with the variables by which the worker's tools find the
 * socket.
 */
export async function openDoor(
  { doors }: Pick<SuperviseOptions, "doors">,
  { peerId, name, harness }: Pick<WorkerJob, "peerId" | "name" | "harness">,
): Promise<Readonly<Record<string, string>>> {
  // claw's own agent runs its commands in a sandbox, in which they see no other socket.
  return harness === "claw" ? doors.open(peerId, name) : {};
}

/** Keeps a worker's socket open as long as the worker lives. */
export interface DoorKeeper {
  /** Closes the socket of a worker whose life is over, unless the worker is started anew. */
  ended(peerId: string): void;
  /** Opens the sockets of workers that outlived an earlier daemon. */
  start(): void;
}

export function createDoorKeeper(
  options: Pick<SuperviseOptions, "doors" | "report">,
  registry: Pick<WorkerRegistry, "processOf" | "processes">,
  isRestarting: (peerId: string) => boolean,
): DoorKeeper {
  const failed = (error: unknown): void => options.report(`a worker's socket: ${String(error)}`);
  return {
    ended: (peerId) => {
      if (!isRestarting(peerId) && registry.processOf(peerId) === undefined) options.doors.close(peerId).catch(failed);
    },
    start: () => {
      const jobs = registry.processes().flatMap(({ folder }) => readJobOf(folder) ?? []);
      for (const job of jobs) openDoor(options, job).catch(failed);
    },
  };
}
