import { randomUUID } from "node:crypto";
import type { Bucket } from "../buckets/bucket.ts";
import { keepLease } from "./keep-lease.ts";
import type { LeaseClock } from "./lease-clock.ts";
import { MONOTONIC } from "./lease-clock.ts";
import type { LeaseRecord } from "./lease-record.ts";
import { readLease } from "./lease-record.ts";
import type { Leases, SeenHolder } from "./lease.ts";
import { watchHolder } from "./watch-holder.ts";

export interface LeaseOptions {
  /** Time without a write after which the bucket removes a key: how long a lease lasts without a renewal. */
  readonly ttlMs: number;
  readonly clock?: LeaseClock;
}

/**
 * Leases on a bucket whose keys all expire after one time. The bucket must not be replaced while leases are held:
 * fencing numbers are its revisions.
 */
export function createLeases(bucket: Bucket, { ttlMs, clock = MONOTONIC }: LeaseOptions): Leases {
  const context = { bucket, ttlMs, clock };
  const holderOf = async (key: string): Promise<SeenHolder | undefined> => {
    const entry = await bucket.read(key);
    if (entry === undefined) return undefined;
    const { holder, fence } = readLease(entry);
    return { holder, fence, revision: entry.revision };
  };
  return {
    acquire: async (key, holder) => {
      const record = { holder, id: randomUUID() };
      const since = clock.now();
      const revision = await create(bucket, key, record);
      return revision === undefined ? undefined : keepLease(context, { ...record, key, fence: revision }, since);
    },
    holderOf,
    watch: (key, changed) => watchHolder(context, { key, changed, holderOf }),
  };
}

/** Writes the key of a lease. When the answer is lost, the key tells whether it was written. */
async function create(bucket: Bucket, key: string, record: LeaseRecord): Promise<number | undefined> {
  try {
    return await bucket.write(key, JSON.stringify(record), 0);
  } catch (error) {
    const found = await bucket.read(key);
    if (found === undefined) throw error;
    return readLease(found).id === record.id ? found.revision : undefined;
  }
}
