import type { Observer, Orchestrator } from "claw-client";
import type { ReceivedReply, RequestName, RequestRest } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { openObserver, openOrchestrator } from "./open-bus.ts";

async function during<Client extends Pick<Observer, "close">, T>(
  joining: Promise<Client>,
  work: (bus: Client) => Promise<T>,
): Promise<T> {
  const bus = await joining;
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** Joins the bus as an orchestrator, runs `work` and leaves the bus. */
export const onBus = <T>(ports: Ports, work: (bus: Orchestrator) => Promise<T>): Promise<T> =>
  during(openOrchestrator(ports), work);

/** Joins the bus as an observer, a peer that only watches, runs `work` and leaves the bus. */
export const watchBus = <T>(ports: Ports, work: (bus: Observer) => Promise<T>): Promise<T> =>
  during(openObserver(ports), work);

/** Sends a request to the bus as an orchestrator. Rejects with the refusal of the bus. */
export const tellBus = <Name extends RequestName>(
  ports: Ports,
  name: Name,
  ...rest: RequestRest<Name>
): Promise<ReceivedReply<Name>> => onBus(ports, (bus) => bus.request(name, ...rest));

/** Sends a request to the bus as an observer. */
export const askBus = <Name extends RequestName>(
  ports: Ports,
  name: Name,
  ...rest: RequestRest<Name>
): Promise<ReceivedReply<Name>> => watchBus(ports, (bus) => bus.request(name, ...rest));

/** Finds the peer id of a worker by the worker's name. A text that names no worker counts as a peer id. */
export async function peerIdOf(bus: Orchestrator, target: string): Promise<string> {
  try {
    const { peer_id: peerId } = await bus.request("worker.find", { target });
    return peerId ?? target;
  } catch (error) {
    if (error instanceof ClawError && error.code === "WORKER_NOT_FOUND") return target;
    throw error;
  }
}

/** The error for a verb that never ends and has to answer with one JSON object. `instead` names another way out. */
export const endlessAnswer = (what: string, instead = ""): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", `${what} never ends, so it cannot be one JSON object`, {
    operation: "parse_arguments",
    target: "--output-format",
    hint: `Use --output-format stream-json${instead}.`,
  });
