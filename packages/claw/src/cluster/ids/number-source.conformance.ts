import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { Bucket } from "../buckets/bucket.ts";
import { unreachable } from "../connection/nats-errors.ts";
import { openClusterNumbers } from "./cluster-numbers.ts";
import { openNumberSource } from "./number-source.ts";

export interface NumberSubject {
  /** An empty bucket, as `count` machines open it. */
  readonly open: (count: number) => Promise<readonly Bucket[]>;
}

const OPTIONS = { key: "next.peer", size: 8, lowWater: 4 };
const lost = (): Promise<never> => Promise.reject(unreachable("a", "NATS does not answer"));

/** Takes a number, waiting while the next block is on its way. */
const patiently = (next: () => number): Promise<number> =>
  until(() => {
    try {
      return { number: next() };
    } catch {
      return false;
    }
  }).then(({ number }) => number);

async function takeMany(next: () => number, count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) taken.push(await patiently(next));
  return taken;
}

/** What numbers promise on every bucket. */
export function numberConformance({ open }: NumberSubject): void {
  test("grow from 1 on one machine, block after block", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const { next } = await openNumberSource(bucket, OPTIONS);
    expect(await takeMany(next, 30)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test("go on above a number that a log has used, in this block or beyond it", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const source = await openNumberSource(bucket, OPTIONS);
    await source.startAfter(3);
    expect(source.next()).toBe(4);
    await source.startAfter(100);
    expect(await takeMany(source.next, 30)).toEqual(Array.from({ length: 30 }, (_, index) => index + 101));
    await source.startAfter(5);
    expect(await patiently(source.next)).toBe(131);
  });

  test("are given once in the cluster, also by machines that take them at the same time and start again", async () => {
    const buckets = await open(3);
    const runs = buckets.flatMap((bucket) => [bucket, bucket]);
    const taken = await Promise.all(
      runs.map(async (bucket) => takeMany((await openNumberSource(bucket, OPTIONS)).next, 100)),
    );
    expect(new Set(taken.flat()).size).toBe(600);
    const [bucket] = buckets as [Bucket];
    const later = await takeMany((await openNumberSource(bucket, OPTIONS)).next, 10);
    expect(Math.min(...later)).toBeGreaterThan(Math.max(...taken.flat()));
  });

  test("are above those in the log when the bucket began anew; a bucket that is whole goes on as it was", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const fresh = await openNumberSource(bucket, OPTIONS);
    await fresh.startAfter(500);
    expect(await takeMany(fresh.next, 20)).toEqual(Array.from({ length: 20 }, (_, index) => 501 + index));
    const next = await openNumberSource(bucket, OPTIONS);
    const [before] = await takeMany(next.next, 1);
    expect(before).toBeGreaterThan(520);
    await next.startAfter(520);
    expect(await takeMany(next.next, 1)).toEqual([(before ?? 0) + 1]);
  });

  test("are not given twice when the answer to a write is lost", async () => {
    const [shared] = (await open(1)) as [Bucket];
    let writes = 0;
    const write: Bucket["write"] = async (...args) => {
      const revision = await shared.write(...args);
      writes += 1;
      return writes % 2 === 0 ? lost() : revision;
    };
    const one = await openNumberSource({ ...shared, write }, OPTIONS);
    const two = await openNumberSource(shared, OPTIONS);
    const taken = [...(await takeMany(one.next, 60)), ...(await takeMany(two.next, 60))];
    expect([new Set(taken).size, writes > 8]).toEqual([120, true]);
  });

  test("that are used up while NATS is away are refused for now, and given again when it is back", async () => {
    const [shared] = (await open(1)) as [Bucket];
    let isAway = false;
    const bucket: Bucket = { ...shared, read: (key) => (isAway ? lost() : shared.read(key)) };
    const { next } = await openNumberSource(bucket, OPTIONS);
    isAway = true;
    const given = Array.from({ length: 8 }, () => next());
    expect(given).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await Promise.resolve();
    expect(() => next()).toThrow(
      expect.objectContaining({ code: "NATS_UNREACHABLE", retryable: true, target: "next.peer" }),
    );
    isAway = false;
    expect(await patiently(next)).toBe(9);
  });

  test("begin after those that a log has used, and each kind has its own", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const numbers = await openClusterNumbers(bucket, { peer: 41, task: 7 });
    const first = [
      numbers.nextPeer(),
      numbers.nextPeer(),
      numbers.nextSubscription(),
      numbers.nextTask(),
      numbers.nextPipeline(),
      numbers.nextTerminal(),
    ];
    expect(first).toEqual([42, 43, 1, 8, 1, 1]);
    const again = await openClusterNumbers(bucket, { peer: 41 });
    expect(again.nextPeer()).toBe(42 + 256);
  });
}
