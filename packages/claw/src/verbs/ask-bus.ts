import type { Orchestrator, Reply } from "@claw/client";
import { ClawError } from "@claw/contract";
import type { Ports } from "./handle.ts";
import { openObserver, openOrchestrator } from "./open-bus.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Works with the bus as an orchestrator, and leaves it. */
export async function onBus<T>(ports: Ports, work: (bus: Orchestrator) => Promise<T>): Promise<T> {
  const bus = await openOrchestrator(ports);
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** Asks the bus for one change. Rejects with its refusal. */
export const tellBus = (ports: Ports, cmd: string, fields: Fields): Promise<Reply> =>
  onBus(ports, (bus) => bus.request(cmd, fields));

/** Asks the bus something, as somebody who only watches. */
export async function askBus(ports: Ports, cmd: string, fields: Fields = {}): Promise<Reply> {
  const bus = await openObserver(ports);
  try {
    return await bus.request(cmd, fields);
  } finally {
    await bus.close();
  }
}

/** The peer that a worker's name stands for; what names no worker is taken for a peer id. */
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
