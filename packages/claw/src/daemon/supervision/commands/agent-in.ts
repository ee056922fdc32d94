import type { HarnessId } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";

export interface TerminalOwners {
  readonly host: Pick<BusHost, "terminals">;
  readonly registry: WorkerRegistry;
}

/** The worker whose agent was started in this terminal, even when another worker names the same terminal. */
export function ownerOf({ host, registry }: TerminalOwners, terminalId: string): RegisteredWorker | undefined {
  const opened = host.terminals.find(terminalId)?.workerId;
  return registry
    .all()
    .findLast(
      ({ peerId, spawned, terminalId: own }) =>
        spawned?.mode === "interactive" && (peerId === opened || own === terminalId),
    );
}

/** The agent whose screens a terminal shows; null where any other program runs. */
export const agentIn = (place: TerminalOwners, terminalId: string): HarnessId | null =>
  ownerOf(place, terminalId)?.spawned?.harness ?? null;
