import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { WORKER_VARIABLES } from "claw-contract";
import type { WorkerJob } from "claw-contract";
import type { Accept, Transport } from "../../bus/index.ts";
import { createUnixTransport, TEMPORARY_SOCKET_NAME } from "../../bus/index.ts";
import { PRIVATE_FOLDER, socketPathBytes, withFileErrors } from "../../files/index.ts";
import type { Lifetime } from "../process/keep-running.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import { readJobOf } from "./worker-process.ts";

/** Sockets for single workers. Each socket accepts only its worker, with the worker's token. */
export interface WorkerDoors {
  /**
   * Opens the socket of a worker, unless it is open. Resolves with the variables by which the worker's tools find the
   * bus; with no variables when the socket's path would be too long. Rejects with a file error.
   */
  open(peerId: string, name: string): Promise<Readonly<Record<string, string>>>;
  /** Closes the socket and its connections. Does nothing when the worker has no socket. */
  close(peerId: string): Promise<void>;
}

export interface WorkerDoorsOptions {
  /** Private folder, with a folder for each worker that holds only the worker's socket. */
  readonly folder: string;
  readonly accept: Accept;
  readonly mint: (name: string) => string;
  readonly lifetime: Pick<Lifetime, "signal" | "hold">;
  readonly report: (problem: string) => void;
}

const SOCKET = "bus.sock";

async function listen(folder: string, name: string, accept: Accept): Promise<Transport> {
  withFileErrors("open", folder, () => mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }));
  const transport = createUnixTransport(join(folder, SOCKET));
  await transport.listen((connection) => accept(connection, { surface: "local", only: name }));
  return transport;
}

export function createWorkerDoors(options: WorkerDoorsOptions): WorkerDoors {
  const { folder, accept, mint, lifetime, report } = options;
  const doors = new Map<string, Promise<Transport>>();
  const folderOf = (peerId: string): string => join(folder, peerId);
  const close = async (peerId: string): Promise<void> => {
    const door = doors.get(peerId);
    doors.delete(peerId);
    await (await door?.catch(() => undefined))?.close();
  };
  lifetime.signal.addEventListener("abort", () => lifetime.hold(Promise.all([...doors.keys()].map(close))), {
    once: true,
  });
  return {
    open: async (peerId, name) => {
      const path = join(folderOf(peerId), SOCKET);
      if (Buffer.byteLength(path) + TEMPORARY_SOCKET_NAME > socketPathBytes()) {
        report(`${name} gets no separate socket: the path ${path} is too long`);
        return {};
      }
      const door = doors.get(peerId) ?? listen(folderOf(peerId), name, accept);
      doors.set(peerId, door);
      await door;
      const { bus, token, name: named } = WORKER_VARIABLES;
      return { [bus]: path, [token]: mint(name), [named]: name };
    },
    close: async (peerId) => {
      await close(peerId);
      rmSync(folderOf(peerId), { recursive: true, force: true });
    },
  };
}

/**
 * Opens the socket of a worker that is about to start. Resolves with the variables by which the worker's tools find the
 * socket: commands in the sandbox of claw's own agent see no other, and an MCP server joins with the worker's rights.
 */
export const openDoor = (
  { doors }: Pick<SuperviseOptions, "doors">,
  { peerId, name }: Pick<WorkerJob, "peerId" | "name">,
): Promise<Readonly<Record<string, string>>> => doors.open(peerId, name);

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
