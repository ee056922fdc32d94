import { expect, test } from "vitest";
import { createFence } from "../../bus/index.ts";
import type { Bucket } from "../buckets/bucket.ts";
import { createLeases } from "./create-leases.ts";
import type { NumberDeps } from "./lease-numbers.ts";
import { createLeaseNumbers } from "./lease-numbers.ts";

export interface NumbersSubject {
  /** An empty bucket; of leases of that time, when one is given. */
  readonly bucket: (ttlMs?: number) => Promise<Bucket>;
}

const TTL_MS = 60_000;

/** What the numbers of leases promise on every bucket. */
export function leaseNumbersConformance({ bucket }: NumbersSubject): void {
  const start = async (facts: Bucket, logged: NumberDeps["logged"]) => {
    const leases = createLeases(await bucket(TTL_MS), { ttlMs: TTL_MS });
    const numbers = createLeaseNumbers({ leases, facts, logged });
    const take = async (key: string) => {
      const lease = await leases.acquire(key, "m1");
      if (lease === undefined) throw new Error(`${key} is not free`);
      const numbered = { key, fence: lease.fence, mark: key };
      return { lease, numbered, number: await numbers.take(numbered) };
    };
    return { numbers, take };
  };

  test("are the revisions of the creates, as long as the bucket of the leases is the same", async () => {
    const fence = createFence();
    const { take, numbers } = await start(await bucket(), () => fence);
    const first = await take("a");
    expect(first.number).toBe(first.lease.fence);
    expect(fence.admits({ lease: { key: "a", number: first.number }, sequence: 1 })).toBe(true);
    expect(await numbers.check(first.numbered, first.number)).toBe(first.number);
    await first.lease.release();
    const second = await take("a");
    expect(second.number).toBe(second.lease.fence);
    expect(second.number).toBeGreaterThan(first.number);
    await second.lease.release();
  });

  test("stay above those in the log when the bucket of the leases begins anew, for every lease and machine", async () => {
    const fence = createFence();
    const facts = await bucket();
    fence.admits({ lease: { key: "a", number: 500 }, sequence: 1 });
    fence.admits({ lease: { key: "b", number: 900 }, sequence: 2 });
    const [one, two] = [await start(facts, () => fence), await start(facts, () => fence)];
    const first = await one.take("a");
    expect(first.number).toBeGreaterThan(900);
    const other = await one.take("b");
    expect(other.number).toBeGreaterThan(900);
    await Promise.all([first.lease.release(), other.lease.release()]);
    // A machine whose log is behind gets higher numbers too.
    const behind = await start(facts, () => createFence());
    expect((await behind.take("a")).number).toBeGreaterThan(900);
    expect((await two.take("c")).number).toBeGreaterThan(900);
  });

  test("are raised for the holder of a lease alone, once its events count nowhere", async () => {
    const fence = createFence();
    const { take, numbers } = await start(await bucket(), () => fence);
    const stale = await take("a");
    fence.admits({ lease: { key: "a", number: stale.number + 100 }, sequence: 1 });
    expect(await numbers.check(stale.numbered, stale.number)).toBeGreaterThan(stale.number + 100);
    await stale.lease.release();
    const holder = await take("a");
    expect(await numbers.check(stale.numbered, stale.number)).toBe(stale.number);
    await holder.lease.release();
  });
}
