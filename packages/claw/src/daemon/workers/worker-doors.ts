import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { WORKER_VARIABLES } from "claw-contract";
import type { Accept, Transport } from "../../bus/index.ts";
import { createUnixTransport, TEMPORARY_SOCKET_NAME } from "../../bus/index.ts";
import { PRIVATE_FOLDER, socketPathBytes, withFileErrors } from "../../files/index.ts";
import type { Lifetime } from "../process/lifetime.ts";

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
