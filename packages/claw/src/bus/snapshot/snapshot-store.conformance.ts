import { expect, test } from "vitest";
import type { Snapshot, SnapshotStore } from "./snapshot-store.ts";

/** Three pieces of bytes, of another length each. */
const rememberedUpTo = (sequence: number): Uint8Array[] =>
  [12_000, 4801, 1].map((length) => Uint8Array.from({ length }, (_, n) => (n * 7 + sequence) % 256));

export const snapshotAt = (sequence: number, epoch = "0001"): Snapshot => ({
  epoch,
  sequence,
  state: { tasks: { text: `as of ${sequence} "\u2028\n` } },
  events: rememberedUpTo(sequence),
});

/** A snapshot with its events read. */
export const whole = (snapshot: Snapshot | undefined): unknown =>
  snapshot === undefined ? undefined : { ...snapshot, events: Array.from(snapshot.events, (piece) => [...piece]) };

/** What every store of snapshots promises. */
export function snapshotStoreConformance(open: () => SnapshotStore): void {
  const load = (store: SnapshotStore, head: number, epoch = "0001"): unknown =>
    whole(store.load({ epoch, head }, () => undefined));

  test("an empty store has nothing", () => {
    expect(load(open(), 100)).toBeUndefined();
  });

  test("the newest comes back as it went in", async () => {
    const store = open();
    for (const sequence of [5, 70, 800]) await store.save(snapshotAt(sequence));
    expect(load(store, 800)).toEqual(whole(snapshotAt(800)));
  });

  test("one of another log is passed over", async () => {
    const store = open();
    await store.save(snapshotAt(5, "0001"));
    await store.save(snapshotAt(9, "0002"));
    expect(load(store, 9, "0001")).toEqual(whole(snapshotAt(5, "0001")));
    expect(load(store, 9, "0003")).toBeUndefined();
  });

  test("one beyond the head is passed over, and not used when the head gets there by another way", async () => {
    const store = open();
    await store.save(snapshotAt(5));
    await store.save(snapshotAt(9));
    const problems: string[] = [];
    expect(store.load({ epoch: "0001", head: 8 }, (problem) => void problems.push(problem))?.sequence).toBe(5);
    expect(problems).toEqual([expect.stringContaining("beyond the head")]);
    expect(load(store, 20)).toEqual(whole(snapshotAt(5)));
  });
}
