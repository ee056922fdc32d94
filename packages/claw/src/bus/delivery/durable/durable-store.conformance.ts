import { expect, test } from "vitest";
import type { DurableRecord, DurableStore } from "./durable-store.ts";

export interface DurableStoreSubject {
  /** The same records each time. */
  readonly open: () => DurableStore | Promise<DurableStore>;
}

const record = (name: string, acked: number): DurableRecord => ({ name, topic: "worker.**", epoch: "0001", acked });

/** What every store of durable subscriptions promises. */
export function durableStoreConformance(subject: () => DurableStoreSubject): void {
  test("knows nothing at first", async () => {
    const store = await subject().open();
    expect([store.get("a"), store.count()]).toEqual([undefined, 0]);
  });

  test("gives back the newest of what was saved, also after it is opened again", async () => {
    const { open } = subject();
    const store = await open();
    await Promise.all([1, 2, 3, 4].map((acked) => store.save(record("a", acked))));
    await store.save(record("b", 7));
    expect([store.get("a"), store.count()]).toEqual([record("a", 4), 2]);
    const again = await open();
    expect([again.get("a"), again.get("b"), again.count()]).toEqual([record("a", 4), record("b", 7), 2]);
    expect(again.all().toSorted((one, other) => one.acked - other.acked)).toEqual([record("a", 4), record("b", 7)]);
  });

  test("a record is there while it is being saved", async () => {
    const store = await subject().open();
    const saving = store.save(record("a", 1));
    expect(store.get("a")).toEqual(record("a", 1));
    await saving;
  });

  test("names that differ in case are different", async () => {
    const { open } = subject();
    const store = await open();
    await store.save(record("Reader", 1));
    await store.save(record("reader", 2));
    const again = await open();
    expect([again.get("Reader")?.acked, again.get("reader")?.acked]).toEqual([1, 2]);
  });
}
