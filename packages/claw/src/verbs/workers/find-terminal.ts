import type { Terminal } from "claw-contract";
import { ClawError } from "claw-contract";
import { readAbout, storedTerminals } from "../../terminals/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { WorkerFolder } from "./logs/worker-log.ts";
import { clawsFolder, findWorkerFolder } from "./logs/worker-log.ts";

/** The error for a name without a terminal. `unheard` names machines that may have one and do not answer. */
export function noTerminal(id: string, unheard: readonly string[] = []): ClawError {
  const none = `no terminal, and no worker with a terminal, is called ${id.slice(0, 200)}`;
  const about = { operation: "find_terminal", target: id };
  if (unheard.length === 0) return new ClawError("TERMINAL_NOT_FOUND", none, about);
  const names = unheard.join(", ");
  const hint = `Give the terminal's id, or see with claw machines when ${names} is up again.`;
  return new ClawError("TERMINAL_NOT_FOUND", `${none}; of machine ${names} this is not known, it does not answer`, {
    ...about,
    hint,
  });
}

/** The terminal or the worker that a name means. The search reads files only; no daemon has to run. */
export type Meant =
  | { readonly kind: "terminal"; readonly terminal: Terminal }
  /** A worker without a terminal. */
  | { readonly kind: "worker"; readonly worker: WorkerFolder };

/**
 * Finds a terminal by its id; or a worker by its id or name, with the worker's terminal if there is one; or a terminal
 * by its name. Among workers of the same name, the newest counts. Among terminals of the same name, the newest open
 * terminal counts, else the newest.
 */
export function findMeant(id: string, ports: Ports): Meant | undefined {
  const folder = clawsFolder(ports);
  const own = readAbout(folder, id);
  if (own !== undefined) return { kind: "terminal", terminal: own };
  const all = storedTerminals(folder).flatMap((stored) => readAbout(folder, stored) ?? []);
  const worker = findWorkerFolder(id, ports);
  const ofWorker = all.findLast(({ workerId }) => workerId === (worker?.id ?? id));
  if (ofWorker !== undefined) return { kind: "terminal", terminal: ofWorker };
  if (worker !== undefined) return { kind: "worker", worker };
  const terminal =
    all.findLast(({ name, end }) => name === id && end === null) ?? all.findLast(({ name }) => name === id);
  return terminal === undefined ? undefined : { kind: "terminal", terminal };
}
