import type { HarnessId } from "@claw/contract";
import type { BusHost } from "../../bus/index.ts";
import type { Fleet, FleetWorker } from "../fleet/fleet.ts";

export interface Place {
  readonly host: Pick<BusHost, "terminals">;
  readonly fleet: Fleet;
}

/** The worker whose agent was started in this terminal, even when another worker names the same terminal. */
export function ownerOf({ host, fleet }: Place, terminalId: string): FleetWorker | undefined {
  const opened = host.terminals.find(terminalId)?.workerId;
  return fleet
    .all()
    .findLast(
      ({ peerId, spawned, terminalId: own }) =>
        spawned?.mode === "interactive" && (peerId === opened || own === terminalId),
    );
}

/** The agent whose screens a terminal shows; null where any other program runs. */
export const agentIn = (place: Place, terminalId: string): HarnessId | null =>
  ownerOf(place, terminalId)?.spawned?.harness ?? null;
