import type { Bucket } from "../buckets/bucket.ts";
import { ownLeaseKey } from "../buckets/bucket-names.ts";

/** Which machines of a cluster are heard: those whose daemon renews the lease of its name. */
export interface MachineHearing {
  /** Milliseconds since a machine was heard, once that is longer than a lease lasts; undefined for a machine that is heard. */
  silenceOf(this: void, machine: string): number | undefined;
  close(this: void): void;
}

export interface HearingOptions {
  /** How long a lease lasts without a renewal. */
  readonly leaseMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Heard {
  readonly revision: number;
  readonly at: number;
}

const NAME = "name";

/**
 * Follows the leases of all machines. Times are by the clock of this process, so machines may have any time of day. Rejects
 * as the bucket does.
 */
export async function watchMachines(bucket: Bucket, options: HearingOptions): Promise<MachineHearing> {
  const { leaseMs, now = () => performance.now() } = options;
  const heard = new Map<string, Heard>();
  const begun = now();
  const watch = await bucket.watch("machine.>", ({ key, revision }) => {
    const [, machine = ""] = key.split(".");
    if (key !== ownLeaseKey(machine, NAME)) return;
    // After a lost connection, a renewal that was seen before comes again.
    if ((heard.get(machine)?.revision ?? 0) < revision) heard.set(machine, { revision, at: now() });
  });
  return {
    silenceOf: (machine) => {
      const silentMs = now() - (heard.get(machine)?.at ?? begun);
      return silentMs > leaseMs ? silentMs : undefined;
    },
    close: () => watch.close(),
  };
}
