import { shellQuote } from "claw-contract";
import type { Refused } from "../../bus/index.ts";
import { error } from "../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "./worker-registry.ts";

/** The word by which a person names a worker: its name, or its id where the name means another worker. */
export const wordFor = (registry: Pick<WorkerRegistry, "find">, { name, peerId }: RegisteredWorker): string =>
  shellQuote(registry.find(name)?.peerId === peerId ? name : peerId);

/** Hint with commands for a worker that has ended. Each command can be used as written. */
export function endedHint(registry: Pick<WorkerRegistry, "find">, worker: RegisteredWorker): string {
  const word = wordFor(registry, worker);
  if (worker.spawned === null) return `It was not started here; remove it with claw rm ${word}.`;
  return `See why: claw logs ${word}. Start it again: claw restart ${word}. Remove it: claw rm ${word}.`;
}

/** The reply to requests that an ended worker can no longer fulfil. */
export const refuseEnded = (registry: Pick<WorkerRegistry, "find">, worker: RegisteredWorker): Refused =>
  error(`worker ${worker.name} has ended`, { code: "WORKER_ENDED", hint: endedHint(registry, worker) });
