import { shellQuote } from "@claw/contract";
import type { Refused } from "../../bus/index.ts";
import { error } from "../../bus/index.ts";
import type { Fleet, FleetWorker } from "./fleet.ts";

/** The word by which a person names a worker: its name, or its id where the name means another worker. */
export const wordFor = (fleet: Pick<Fleet, "find">, { name, peerId }: FleetWorker): string =>
  shellQuote(fleet.find(name)?.peerId === peerId ? name : peerId);

/** Hint with commands for a worker that has ended. Each command can be used as written. */
export function endedHint(fleet: Pick<Fleet, "find">, worker: FleetWorker): string {
  const word = wordFor(fleet, worker);
  if (worker.spawned === null) return `It was not started here; remove it with claw rm ${word}.`;
  return `See why: claw logs ${word}. Start it again: claw restart ${word}. Remove it: claw rm ${word}.`;
}

/** The reply to requests that an ended worker can no longer fulfil. */
export const refuseEnded = (fleet: Pick<Fleet, "find">, worker: FleetWorker): Refused =>
  error(`worker ${worker.name} has ended`, { code: "WORKER_ENDED", hint: endedHint(fleet, worker) });
