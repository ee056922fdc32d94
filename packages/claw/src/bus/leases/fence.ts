import type { LeaseMark, StoredEvent } from "../log/index.ts";

/** What an event says of the lease it was written under. */
type Written = Pick<StoredEvent, "lease" | "sequence">;

/**
 * Tells which events count. An event that a holder of a lease wrote after a later holder has written counts nowhere. The order of
 * the log alone decides, so every daemon, and every start that reads the log again, ignores the same events.
 */
export interface Fence {
  /** Takes in the next event of the log. False when the event is to be ignored. */
  admits(event: Written): boolean;
  /** Whether an event was ignored. Only the newest ignored events are known. */
  isIgnored(this: void, sequence: number): boolean;
  /** The number of the latest holder that has written; 0 before the first. */
  newest(key: string): number;
  /** The highest number of all leases. */
  highest(): number;
  /** What `load` needs to go on from here; undefined while no event was written under a lease. */
  save(): SavedFence | undefined;
  load(saved: SavedFence): void;
}

export interface SavedFence {
  readonly newest: readonly (readonly [key: string, number: number])[];
  readonly ignored: readonly number[];
}

/** Most ignored events that the fence remembers, so that no reader of the log gets them. The fence forgets the oldest first. */
const KNOWN_IGNORED = 10_000;
/** Leases whose newest number is remembered. One that is forgotten was not used for the longest time. */
const KNOWN_LEASES = 10_000;

function keepAtMost(known: Set<number> | Map<string, number>, most: number): void {
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest as never);
}

export function createFence(): Fence {
  const newest = new Map<string, number>();
  const ignored = new Set<number>();
  return {
    admits: ({ lease, sequence }) => {
      if (lease === undefined) return true;
      const { key, number } = lease;
      if (number < (newest.get(key) ?? 0)) {
        ignored.add(sequence);
        keepAtMost(ignored, KNOWN_IGNORED);
        return false;
      }
      newest.delete(key);
      newest.set(key, number);
      keepAtMost(newest, KNOWN_LEASES);
      return true;
    },
    isIgnored: (sequence) => ignored.size > 0 && ignored.has(sequence),
    newest: (key) => newest.get(key) ?? 0,
    highest: () => Math.max(0, ...newest.values()),
    save: () => (newest.size === 0 ? undefined : { newest: [...newest], ignored: [...ignored] }),
    load: (saved) => {
      for (const [key, number] of saved.newest) newest.set(key, number);
      for (const sequence of saved.ignored) ignored.add(sequence);
    },
  };
}

/** What the feed returns for an event that counts nowhere. */
export const IGNORED = -1;

/** The lease by which a machine holds its name, as events of the machine's daemon carry it. */
export const nameLease = (machine: string, number: number): LeaseMark => ({ key: `machine.${machine}`, number });
