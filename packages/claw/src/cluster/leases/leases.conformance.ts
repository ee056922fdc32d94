import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { Lease, LeaseHolder, Leases } from "./lease.ts";

export interface LeasesSubject {
  /** Leases of one time, as `count` machines know them. */
  readonly open: (count: number, ttlMs: number) => Promise<readonly Leases[]>;
  /** Lets a machine's calls go unanswered, from now on. */
  readonly cutOff: (leases: Leases) => Promise<void>;
  readonly rounds: number;
}

/** Longer than a test takes. */
const LONG_MS = 60_000;
const SHORT_MS = 400;

const required = (lease: Lease | undefined): Lease => {
  if (lease === undefined) throw new Error("the lease was free");
  return lease;
};

/** What every implementation of leases promises. */
export function leasesConformance({ open, cutOff, rounds }: LeasesSubject): void {
  test("one holder at a time; a later holder has a higher number", async () => {
    const [one, two] = (await open(2, LONG_MS)) as [Leases, Leases];
    const first = required(await one.acquire("work.a", "m1"));
    expect([first.isHeld(), first.key, first.holder]).toEqual([true, "work.a", "m1"]);
    expect(await two.acquire("work.a", "m2")).toBeUndefined();
    expect(await one.acquire("work.a", "m1")).toBeUndefined();
    expect(await two.holderOf("work.a")).toMatchObject({ holder: "m1", fence: first.fence });
    await first.release();
    await first.release();
    expect([first.isHeld(), await first.ended, await two.holderOf("work.a")]).toEqual([false, "released", undefined]);
    const second = required(await two.acquire("work.a", "m2"));
    expect(second.fence).toBeGreaterThan(first.fence);
    await second.release();
  });

  test(`two machines race for one lease ${rounds} times: each time exactly one of them gets it`, async () => {
    const machines = await open(2, LONG_MS);
    let newest = 0;
    for (let round = 0; round < rounds; round += 1) {
      const taken = await Promise.all(machines.map((leases, index) => leases.acquire("race", `m${index}`)));
      const [winner, ...others] = taken.filter((lease) => lease !== undefined);
      expect(others).toEqual([]);
      expect(required(winner).fence).toBeGreaterThan(newest);
      newest = required(winner).fence;
      await winner?.release();
    }
  });

  test("a lease that is renewed lasts longer than its time, under the number it began with", async () => {
    const [one, two] = (await open(2, SHORT_MS)) as [Leases, Leases];
    // A machine that is too busy to renew loses the lease, and takes it again.
    await until("a lease that lasts", async () => {
      const lease = await one.acquire("kept", "m1");
      if (lease === undefined) return false;
      const over = performance.now() + 3 * SHORT_MS;
      await until(() => performance.now() > over || !lease.isHeld());
      const holder = await two.holderOf("kept");
      if (!lease.isHeld()) return false;
      expect(holder).toMatchObject({ holder: "m1", fence: lease.fence });
      expect(holder?.revision).toBeGreaterThan(lease.fence);
      await lease.release();
      return true;
    });
  });

  test("a holder that gets no answer stops before another machine can take its lease", async () => {
    const [one, two] = (await open(2, SHORT_MS)) as [Leases, Leases];
    const lease = required(await one.acquire("lost", "m1"));
    await cutOff(one);
    const { next, wasHeld } = await until(async () => {
      const taken = await two.acquire("lost", "m2");
      return taken && { next: taken, wasHeld: lease.isHeld() };
    });
    expect(wasHeld).toBe(false);
    expect(await lease.ended).toBe("unconfirmed");
    expect(next.fence).toBeGreaterThan(lease.fence);
    await lease.release();
    expect(await two.holderOf("lost")).toMatchObject({ holder: "m2", fence: next.fence });
    await next.release();
  });

  test("a watch tells who holds a lease, also when it is released and when it expires", async () => {
    const [one, two] = (await open(2, SHORT_MS)) as [Leases, Leases];
    const seen: (LeaseHolder | undefined)[] = [];
    const watch = await two.watch("seen", (holder) => void seen.push(holder));
    const first = required(await one.acquire("seen", "m1"));
    await until(() => seen.length === 2);
    await first.release();
    await until(() => seen.length === 3);
    const second = required(await one.acquire("seen", "m1"));
    await until(() => seen.length === 4);
    await cutOff(one);
    await until(() => seen.length === 5);
    const told = (lease: Lease): LeaseHolder => ({ holder: "m1", fence: lease.fence });
    expect(seen).toEqual([undefined, told(first), undefined, told(second), undefined]);
    watch.close();
  });
}
