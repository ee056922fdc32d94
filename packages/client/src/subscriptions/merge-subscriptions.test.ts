import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { BusItem } from "./bus-item.ts";
import { mergeSubscriptions } from "./merge-subscriptions.ts";
import type { Subscription } from "./subscription.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const ITEM: BusItem = { kind: "caught-up", cursor: "0001:1" };

/** A source that gives so many items, then what it is told to. */
function createSource(count: number, end: () => Promise<IteratorResult<BusItem, undefined>>) {
  let left = count;
  let closed = false;
  const source: Subscription = {
    next: () => ((left -= 1) < 0 ? end() : Promise.resolve({ done: false, value: ITEM })),
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => source,
    id: () => undefined,
    cursor: () => undefined,
    ready: () => Promise.resolve(""),
    close: () => {
      closed = true;
    },
  };
  return { source, closed: () => closed };
}

const never = (): Promise<never> => new Promise(() => undefined);
const ended = (): Promise<IteratorResult<BusItem, undefined>> => Promise.resolve({ done: true, value: undefined });

test("items of all sources come, until all have ended", async () => {
  const sources = [createSource(3, ended), createSource(0, ended), createSource(2, ended)];
  let count = 0;
  for await (const _ of mergeSubscriptions(sources.map(({ source }) => source))) count += 1;
  expect([count, sources.every(({ closed }) => closed())]).toEqual([5, true]);
});

test("an error of one ends all, as leaving does", async () => {
  const failing = [createSource(0, () => Promise.reject(new Error("gone"))), createSource(0, never)];
  await expect(mergeSubscriptions(failing.map(({ source }) => source)).next()).rejects.toThrow("gone");
  const left = [createSource(2, never), createSource(0, never)];
  for await (const _ of mergeSubscriptions(left.map(({ source }) => source))) break;
  expect([...failing, ...left].map(({ closed }) => closed())).toEqual([true, true, true, true]);
});

test("a source that stays quiet costs nothing, however much the others give", async () => {
  const items = 300_000;
  const [busy, quiet] = [createSource(items, ended), createSource(0, never)];
  const merged = mergeSubscriptions([busy.source, quiet.source]);
  await merged.next();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 1; index < items; index += 1) await merged.next();
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 1024 * 1024);
});
