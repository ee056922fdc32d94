import type { Orchestrator, Reply } from "@claw/client";
import { ClawError } from "@claw/contract";
import type { Ports } from "./handle.ts";
import { openObserver, openOrchestrator } from "./open-bus.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Joins the bus as an orchestrator, runs `work` and leaves the bus. */
export async function onBus<T>(ports: Ports, work: (bus: Orchestrator) => Promise<T>): Promise<T> {
  const bus = await openOrchestrator(ports);
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** Sends a request to the bus as an orchestrator. Rejects with the refusal of the bus. */
export const tellBus = (ports: Ports, cmd: string, fields: Fields): Promise<Reply> =>
  onBus(ports, (bus) => bus.request(cmd, fields));

/** Sends a request to the bus as an observer, a peer that only watches. */
export async function askBus(ports: Ports, cmd: string, fields: Fields = {}): Promise<Reply> {
  const bus = await openObserver(ports);
  try {
    return await bus.request(cmd, fields);
  } finally {
    await bus.close();
  }
}

/** Finds the peer id of a worker by the worker's name. A text that names no worker counts as a peer id. */
export async function peerIdOf(bus: Orchestrator, target: string): Promise<string> {
  try {
    const { peer_id: peerId } = await bus.request("worker.find", { target });
    return typeof peerId === "string" ? peerId : target;
  } catch (error) {
    if (error instanceof ClawError && error.code === "WORKER_NOT_FOUND") return target;
    throw error;
  }
}

/** A time of the wire as claw writes it. */
export const isoTime = (value: unknown): string => new Date(value as number | string).toISOString();
