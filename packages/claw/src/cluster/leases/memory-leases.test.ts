import { describe, expect, test } from "vitest";
import type { Bucket } from "../buckets/bucket.ts";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import { unreachable } from "../connection/nats-errors.ts";
import { createLeases } from "./create-leases.ts";
import type { LeaseClock } from "./lease-clock.ts";
import type { Leases } from "./lease.ts";
import { leasesConformance } from "./leases.conformance.ts";

const lost = (): Promise<never> => Promise.reject(unreachable("a", "NATS does not answer"));

describe("leases in memory", () => {
  const cuts = new Map<Leases, () => void>();
  leasesConformance({
    rounds: 1000,
    open: (count, ttlMs) => {
      const shared = createMemoryBucket({ ttlMs });
      const machines = Array.from({ length: count }, () => {
        let isCut = false;
        const bucket: Bucket = { ...shared, write: (...write) => (isCut ? lost() : shared.write(...write)) };
        const leases = createLeases(bucket, { ttlMs });
        cuts.set(leases, () => void (isCut = true));
        return leases;
      });
      return Promise.resolve(machines);
    },
    cutOff: (leases) => Promise.resolve(cuts.get(leases)?.()),
  });
});

/** A clock that a test moves, and whose timers run when it moves. */
function manualClock(): LeaseClock & { move(ms: number): Promise<void>; jump(ms: number): void } {
  let now = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  const move = async (ms: number): Promise<void> => {
    for (const end = now + ms; now < end; now += 1) {
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.call();
      }
      await new Promise(setImmediate);
    }
  };
  const after = (delayMs: number, call: () => void): (() => void) => {
    const timer = { at: now + delayMs, call };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return { now: () => now, after, move, jump: (ms) => void (now += ms) };
}

describe("a lease whose answers are lost", () => {
  test("is taken when the write was stored all the same, under the number of that write", async () => {
    const shared = createMemoryBucket({ ttlMs: 100 });
    const bucket: Bucket = { ...shared, write: (...write) => shared.write(...write).then(lost) };
    const lease = await createLeases(bucket, { ttlMs: 100 }).acquire("a", "m1");
    expect([lease?.isHeld(), lease?.fence]).toEqual([true, 1]);
    await lease?.release();
    expect(await shared.read("a")).toBeUndefined();
  });

  test("is not taken, and says so, when nothing was stored", async () => {
    const bucket: Bucket = { ...createMemoryBucket(), write: lost };
    const acquiring = createLeases(bucket, { ttlMs: 100 }).acquire("a", "m1");
    await expect(acquiring).rejects.toMatchObject({ code: "NATS_UNREACHABLE", retryable: true });
  });

  test("goes on when a renewal was stored without an answer", async () => {
    const clock = manualClock();
    const shared = createMemoryBucket({ ttlMs: 100, now: clock.now });
    let writes = 0;
    const write: Bucket["write"] = async (...args) => {
      const revision = await shared.write(...args);
      writes += 1;
      return writes % 2 === 0 ? lost() : revision;
    };
    const lease = await createLeases({ ...shared, write }, { ttlMs: 100, clock }).acquire("a", "m1");
    await clock.move(1000);
    expect([lease?.isHeld(), writes > 20]).toEqual([true, true]);
  });

  test("ends when its process was stopped for longer than its time, before any of its timers has run", async () => {
    const clock = manualClock();
    const shared = createMemoryBucket({ ttlMs: 100, now: clock.now });
    const leases = createLeases(shared, { ttlMs: 100, clock });
    const lease = await leases.acquire("a", "m1");
    clock.jump(89);
    expect(lease?.isHeld()).toBe(true);
    clock.jump(1);
    expect(lease?.isHeld()).toBe(false);
    expect(await lease?.ended).toBe("unconfirmed");
  });

  test("ends as taken when another holder has written", async () => {
    const clock = manualClock();
    const shared = createMemoryBucket();
    const lease = await createLeases(shared, { ttlMs: 100, clock }).acquire("a", "m1");
    await shared.write("a", '{"holder":"m2","id":"x"}', 1);
    await clock.move(30);
    expect([await lease?.ended, lease?.isHeld()]).toEqual(["taken", false]);
    await lease?.release();
    expect((await shared.read("a"))?.revision).toBe(2);
  });
});
