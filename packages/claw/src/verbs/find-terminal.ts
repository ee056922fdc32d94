import { join } from "node:path";
import { ClawError } from "@claw/contract";
import type { AboutTerminal } from "../terminals/index.ts";
import { readAbout, storedTerminals } from "../terminals/index.ts";
import type { Ports } from "./handle.ts";

export const clawsFolder = ({ cwd }: Ports): string => join(cwd, ".claws");

export const noTerminal = (id: string): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `no terminal and no worker with one is called ${id.slice(0, 200)}`, {
    operation: "find_terminal",
    target: id,
  });

/** A terminal by its id, or the newest of a worker, or the newest of that name. Nobody has to run for it. */
export function findTerminal(id: string, ports: Ports): AboutTerminal | undefined {
  const folder = clawsFolder(ports);
  const own = readAbout(folder, id);
  if (own !== undefined) return own;
  const all = storedTerminals(folder).flatMap((stored) => readAbout(folder, stored) ?? []);
  const worker = all.findLast(({ workerId }) => workerId === id);
  return (
    worker ?? all.findLast(({ name, end }) => name === id && end === null) ?? all.findLast(({ name }) => name === id)
  );
}
