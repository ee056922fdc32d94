import type { Judges } from "../judges.ts";

/** The leases of a cluster in one process. */
export interface MemoryCluster {
  /** Who decides what, as the daemon of a machine asks. */
  open(machine: string): Judges;
  /** The machine counts as gone: its leases are free. */
  lose(machine: string): void;
  /** The machine is heard again. */
  find(machine: string): void;
  /** Lets every daemon believe that it holds every lease, under its own number. */
  confuse(): void;
}

export function createMemoryCluster(): MemoryCluster {
  const gone = new Set<string>();
  const holders = new Map<string, { readonly machine: string; readonly number: number }>();
  const deciding = new Map<string, Promise<void>>();
  let number = 0;
  let isConfused = false;
  const once = (machine: string, what: string) => {
    const known = holders.get(what);
    const isFree = known === undefined || gone.has(known.machine);
    if (!isConfused && !isFree && known.machine !== machine) return undefined;
    const held = !isFree && known.machine === machine ? known : { machine, number: (number += 1) };
    holders.set(what, held);
    return { key: `once.${what}`, number: held.number };
  };
  return {
    lose: (machine) => void gone.add(machine),
    find: (machine) => void gone.delete(machine),
    confuse: () => void (isConfused = true),
    open: (machine) => ({
      begin: () => Promise.resolve(),
      once: (what) => once(machine, what),
      isGone: (other) => gone.has(other),
      decide: async (what) => {
        while (deciding.has(what)) await deciding.get(what);
        let end = (): void => undefined;
        deciding.set(what, new Promise((resolve) => (end = resolve)));
        return () => {
          deciding.delete(what);
          end();
          return Promise.resolve();
        };
      },
    }),
  };
}
