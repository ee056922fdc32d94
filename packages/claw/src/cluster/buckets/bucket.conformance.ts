import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { Bucket, BucketChange } from "./bucket.ts";

export interface BucketSubject {
  /** An empty bucket, as `count` machines open it. */
  readonly open: (count: number, ttlMs?: number) => Promise<readonly Bucket[]>;
}

/** What every bucket promises. */
export function bucketConformance({ open }: BucketSubject): void {
  test("gives back what was written, with a revision that grows over all keys", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    expect(await bucket.read("a.b")).toBeUndefined();
    const first = (await bucket.write("a.b", "one", 0)) ?? 0;
    const other = (await bucket.write("c", "two", 0)) ?? 0;
    const second = (await bucket.write("a.b", "three", first)) ?? 0;
    expect([first < other, other < second]).toEqual([true, true]);
    expect(await bucket.read("a.b")).toEqual({ key: "a.b", value: "three", revision: second });
  });

  test("refuses a write that names another revision than the newest one", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    expect(await bucket.write("a", "one", 7)).toBeUndefined();
    const revision = (await bucket.write("a", "one", 0)) ?? 0;
    expect(await bucket.write("a", "two", 0)).toBeUndefined();
    expect(await bucket.write("a", "two", revision + 1)).toBeUndefined();
    expect(await bucket.remove("a", revision + 1)).toBe(false);
    expect((await bucket.read("a"))?.value).toBe("one");
  });

  test("forgets a key that was removed, and takes it again", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const first = (await bucket.write("a", "one", 0)) ?? 0;
    expect(await bucket.remove("a", first)).toBe(true);
    expect(await bucket.read("a")).toBeUndefined();
    const second = (await bucket.write("a", "two", 0)) ?? 0;
    expect(second).toBeGreaterThan(first);
    expect((await bucket.read("a"))?.value).toBe("two");
  });

  test("of writers that replace the same revision exactly one succeeds", async () => {
    const buckets = await open(3);
    const [first] = buckets as [Bucket];
    let revision = 0;
    for (let round = 0; round < 30; round += 1) {
      const written = await Promise.all(buckets.map((bucket, index) => bucket.write("a", `${index}`, revision)));
      const winners = written.flatMap((result, index) => (result === undefined ? [] : [`${index}`]));
      expect(winners).toEqual([(await first.read("a"))?.value]);
      revision = (await first.read("a"))?.revision ?? 0;
    }
  });

  test("a watch gives the newest values, and then the changes that fit, made by any machine", async () => {
    const [bucket, other] = (await open(2)) as [Bucket, Bucket];
    const first = (await bucket.write("in.a", "one", 0)) ?? 0;
    await bucket.write("out", "x", 0);
    const seen: BucketChange[] = [];
    const watch = await other.watch("in.>", (change) => void seen.push(change));
    expect(seen).toEqual([{ key: "in.a", value: "one", revision: first }]);
    const second = (await bucket.write("in.a", "two", first)) ?? 0;
    // A bucket keeps one value of a key, so each change is waited for before the next.
    await until(() => seen.length === 2);
    await bucket.remove("in.a", second);
    await until(() => seen.length === 3);
    const third = (await bucket.write("in.b", "three", 0)) ?? 0;
    await until(() => seen.length === 4);
    expect(seen.slice(1)).toEqual([
      { key: "in.a", value: "two", revision: second },
      { key: "in.a", value: undefined, revision: second + 1 },
      { key: "in.b", value: "three", revision: third },
    ]);
    watch.close();
    const exact: string[] = [];
    (await other.watch("in.b", ({ key }) => void exact.push(key))).close();
    (await other.watch(">", ({ key }) => void exact.push(key))).close();
    expect(exact.toSorted()).toEqual(["in.b", "in.b", "out"]);
  });
}
