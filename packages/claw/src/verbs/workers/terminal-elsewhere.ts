import type { Observer } from "claw-client";
import { ClawError } from "claw-contract";
import { askBus } from "../bus/ask-bus.ts";
import { askEveryMachine } from "../bus/every-machine.ts";
import { findDaemon } from "../../daemon/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { findMeant, noTerminal } from "./find-terminal.ts";

type Bus = Pick<Observer, "request">;

/** A terminal on another machine of the cluster, or a worker there that works without one. */
export interface TerminalElsewhere {
  readonly machine: string;
  /** Name of the worker or the terminal. */
  readonly name: string;
  readonly workerId: string | null;
  /** Null for a worker without a terminal. */
  readonly terminalId: string | null;
}

const isAway = (error: unknown): boolean => error instanceof ClawError && error.code === "MACHINE_AWAY";

/** The open terminals of all machines, those of this one first, and the machines that do not answer. */
async function allTerminals(bus: Bus) {
  const { replies, unheard } = await askEveryMachine(bus, "list");
  return { terminals: replies.flatMap(({ terminals }) => terminals), unheard };
}

async function workerElsewhere(bus: Bus, id: string): Promise<TerminalElsewhere | undefined | "no cluster"> {
  const { machine: here, workers } = await bus.request("worker.list");
  if (here === undefined) return "no cluster";
  const worker =
    workers.findLast(({ peer_id: peerId, name, ended }) => peerId === id || (name === id && !ended)) ??
    workers.findLast(({ name }) => name === id);
  const machine = worker?.machine ?? here;
  if (worker === undefined || machine === here) return undefined;
  return { machine, name: worker.name, workerId: worker.peer_id, terminalId: worker.terminal_id };
}

/**
 * The terminal that a name means on another machine: of a worker, by the worker's id or name, or else by its own.
 * Undefined when this machine has it, or no machine. Rejects with MACHINE_AWAY when its machine does not answer,
 * with TERMINAL_NOT_FOUND when machines that may have it do not.
 */
export async function findElsewhere(bus: Bus, id: string): Promise<TerminalElsewhere | undefined> {
  const worker = await workerElsewhere(bus, id);
  if (worker !== undefined) return worker === "no cluster" ? undefined : worker;
  const { terminals, unheard } = await allTerminals(bus);
  const found = terminals.find((each) => each.id === id) ?? terminals.findLast(({ name }) => name === id);
  if (found?.machine !== undefined) {
    return { machine: found.machine, name: found.name, workerId: found.workerId, terminalId: found.id };
  }
  await bus.request("worker.find", { target: id }).catch((error: unknown) => {
    if (isAway(error)) throw error;
  });
  if (unheard.length > 0) throw noTerminal(id, unheard);
  return undefined;
}

/** The same, for a name that this machine's files do not know. Undefined without a daemon. */
export const lookElsewhere = async (id: string, ports: Ports): Promise<TerminalElsewhere | undefined> =>
  findMeant(id, ports) !== undefined || findDaemon(ports.cwd) === undefined
    ? undefined
    : findElsewhere({ request: (name, ...rest) => askBus(ports, name, ...rest) }, id);
