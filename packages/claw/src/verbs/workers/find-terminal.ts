import type { Terminal } from "claw-contract";
import { ClawError } from "claw-contract";
import { readAbout, storedTerminals } from "../../terminals/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { WorkerFolder } from "./logs/worker-log.ts";
import { clawsFolder, findWorkerFolder } from "./logs/worker-log.ts";

export const noTerminal = (id: string): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `no terminal, and no worker with a terminal, is called ${id.slice(0, 200)}`, {
    operation: "find_terminal",
    target: id,
  });

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
