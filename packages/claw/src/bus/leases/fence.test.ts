import { expect, test } from "vitest";
import type { Fence } from "./fence.ts";
import { createFence } from "./fence.ts";

const WRITES = [
  ["a", 3, true],
  ["a", 3, true],
  ["b", 1, true],
  ["a", 7, true],
  ["a", 3, false],
  ["b", 1, true],
  ["a", 7, true],
  ["a", 6, false],
] as const;

const admit = (fence: Fence, from = 0): boolean[] =>
  WRITES.slice(from).map(([key, number], index) =>
    fence.admits({ lease: { key, number }, sequence: from + index + 1 }),
  );

test("a write under an older number is ignored once a newer one was seen, for each lease apart", () => {
  const fence = createFence();
  expect(admit(fence)).toEqual(WRITES.map(([, , counts]) => counts));
  expect(fence.admits({ lease: undefined, sequence: 9 })).toBe(true);
  const ignored = Array.from({ length: 9 }, (_, index) => index + 1).filter((sequence) => fence.isIgnored(sequence));
  expect(ignored).toEqual([5, 8]);
  expect([fence.newest("a"), fence.newest("b"), fence.newest("c"), fence.highest()]).toEqual([7, 1, 0, 7]);
});

test("from any place, what was saved goes on as if it had never stopped", () => {
  expect(createFence().save()).toBeUndefined();
  for (let place = 1; place < WRITES.length; place += 1) {
    const [fence, again] = [createFence(), createFence()];
    admit(fence);
    const before = createFence();
    for (const [index, [key, number]] of WRITES.slice(0, place).entries()) {
      before.admits({ lease: { key, number }, sequence: index + 1 });
    }
    const saved = before.save();
    if (saved !== undefined) again.load(JSON.parse(JSON.stringify(saved)) as typeof saved);
    expect(admit(again, place)).toEqual(WRITES.slice(place).map(([, , counts]) => counts));
    expect(again.save()).toEqual(fence.save());
  }
});
