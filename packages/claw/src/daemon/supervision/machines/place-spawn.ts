import { realpathSync } from "node:fs";
import type { WireRole } from "claw-contract";
import type { KnownMachine } from "../../../cluster/index.ts";

/** What decides where a worker starts. */
export interface SpawnWish {
  readonly role: WireRole;
  /** `--on`: a machine, or `any`. */
  readonly on: string | undefined;
  /** Whether the request names a folder besides that of the daemon. */
  readonly hasOwnFolder: boolean;
}

type Load = Pick<KnownMachine, "name" | "isUp" | "running" | "slots">;

const free = ({ running, slots }: Load): number => slots - running;

/**
 * The machine that starts a worker; undefined for this one. The rule, described in docs/scale.md:
 *
 * - What a worker starts runs on the worker's machine: its limits hold in its folder.
 * - A machine that is named starts it.
 * - `any`: the machine that is up and has the most free slots; this one when no other has more.
 * - Without a wish: this machine while it has a free slot, or when the worker gets a folder besides that of the daemon.
 *   Otherwise as with `any`.
 */
export function placeSpawn(own: string, machines: readonly Load[], wish: SpawnWish): string | undefined {
  const { role, on, hasOwnFolder } = wish;
  if (role === "worker" || on === own) return undefined;
  if (on !== undefined && on !== "any") return on;
  const here = machines.find(({ name }) => name === own);
  const hasRoom = here === undefined || free(here) > 0;
  if (on === undefined && (hasRoom || hasOwnFolder)) return undefined;
  const others = machines.filter(({ name, isUp }) => isUp && name !== own);
  const [best] = others.toSorted((a, b) => free(b) - free(a));
  return best !== undefined && free(best) > (here === undefined ? Infinity : free(here)) ? best.name : undefined;
}

/** Whether two paths are one folder. */
export function isSameFolder(a: string, b: string): boolean {
  try {
    return a === b || realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
