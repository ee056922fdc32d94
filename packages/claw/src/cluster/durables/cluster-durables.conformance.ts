import { expect, test } from "vitest";
import type { DurableRecord } from "../../bus/delivery/durable/durable-store.ts";
import { until } from "../../process/testing/until.ts";
import type { Bucket } from "../buckets/bucket.ts";
import type { ClusterDurables } from "./cluster-durables.ts";
import { openClusterDurables } from "./cluster-durables.ts";

export interface ClusterDurablesSubject {
  /** An empty bucket, as `count` machines open it. */
  readonly open: (count: number) => Promise<readonly Bucket[]>;
}

const record = (acked: number, name = "a"): DurableRecord => ({ name, topic: "worker.**", epoch: "0001", acked });

/** What durable subscriptions promise when several machines serve them. */
export function clusterDurablesConformance({ open }: ClusterDurablesSubject): void {
  const openTwo = async (): Promise<[ClusterDurables, ClusterDurables]> => {
    const [one, two] = (await open(2)) as [Bucket, Bucket];
    return [await openClusterDurables(one), await openClusterDurables(two)];
  };

  test("the machine that attaches last gets the newest record, and the one before can save no more", async () => {
    const [one, two] = await openTwo();
    const taken: string[] = [];
    one.onTaken((name) => void taken.push(name));
    expect(await one.attach("a")).toBeUndefined();
    await one.save(record(1));
    await one.save(record(5));
    expect(await two.attach("a")).toEqual(record(5));
    await expect(one.save(record(6))).rejects.toMatchObject({ code: "DURABLE_TAKEN_OVER" });
    await two.save(record(7));
    await until(() => taken.length > 0 && one.get("a")?.acked === 7);
    expect([taken, one.get("a"), two.get("a")]).toEqual([["a"], record(7), record(7)]);
    expect(await one.attach("a")).toEqual(record(7));
    await one.save(record(8));
    await expect(two.save(record(9))).rejects.toMatchObject({ code: "DURABLE_TAKEN_OVER" });
    await until(() => two.get("a")?.acked === 8);
  });

  test("of two machines that make a name at once, one succeeds", async () => {
    const stores = await openTwo();
    await Promise.all(stores.map((store) => store.attach("a")));
    const saved = await Promise.allSettled(stores.map((store, index) => store.save(record(index))));
    expect(saved.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("a place is not lost when the answer to a write is", async () => {
    const [shared] = (await open(1)) as [Bucket];
    let writes = 0;
    const write: Bucket["write"] = async (...args) => {
      const revision = await shared.write(...args);
      writes += 1;
      return writes === 2 ? Promise.reject(new Error("no answer")) : revision;
    };
    const store = await openClusterDurables({ ...shared, write });
    await store.save(record(1));
    await expect(store.save(record(2))).rejects.toThrow("no answer");
    await store.save(record(3));
    const again = await openClusterDurables(shared);
    expect(again.get("a")).toEqual(record(3));
  });

  test("a place that is saved late neither hides nor sets back what another machine has saved meanwhile", async () => {
    const [shared, other] = (await open(2)) as [Bucket, Bucket];
    const gate: { wait?: Promise<void>; open: () => void } = { open: () => undefined };
    const write: Bucket["write"] = async (...args) => {
      await gate.wait;
      return shared.write(...args);
    };
    const [one, two] = [await openClusterDurables({ ...shared, write }), await openClusterDurables(other)];
    await one.attach("a");
    await one.save(record(1));
    gate.wait = new Promise((resolve) => (gate.open = resolve));
    const late = one.save(record(2));
    delete gate.wait;
    await two.attach("a");
    await two.save(record(9));
    expect([await one.attach("a"), one.get("a")]).toEqual([record(9), record(9)]);
    gate.open();
    await late;
    expect([one.get("a"), (await openClusterDurables(shared)).get("a")]).toEqual([record(9), record(9)]);
  });

  test("names with dots are kept apart from each other", async () => {
    const [bucket] = (await open(1)) as [Bucket];
    const store = await openClusterDurables(bucket);
    const names = ["a.b", "a..b", "a-b", "a.", "A.b"];
    await Promise.all(names.map((name, index) => store.save(record(index, name))));
    const again = await openClusterDurables(bucket);
    expect(names.map((name) => again.get(name)?.acked)).toEqual([0, 1, 2, 3, 4]);
  });
}
