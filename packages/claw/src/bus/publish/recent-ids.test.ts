import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRecentIds, unpackIds } from "./recent-ids.ts";

/** Few keys, and most of them begin their search at the same place. */
const key = fc.record({ high: fc.integer({ min: 0, max: 3 }), low: fc.constantFrom(0, 64, 128, 1) });

const step = fc.record({ key, remove: fc.boolean(), body: fc.integer(), sequence: fc.integer({ min: 1 }) });

test("ids are found where they were put, until they are removed, whatever else shares their place", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 32 }), (steps) => {
      const ids = createRecentIds(32);
      const model = new Map<string, { body: number; sequence: number }>();
      for (const { key: at, remove, body, sequence } of steps) {
        const name = `${at.high}:${at.low}`;
        const slot = ids.find(at);
        expect(slot !== -1).toBe(model.has(name));
        if (slot === -1) ids.settle(ids.add(at, [body, body]), sequence, 0);
        if (slot === -1) model.set(name, { body, sequence });
        else if (remove) ids.remove(slot);
        if (slot !== -1 && remove) model.delete(name);
      }
      const stored = [...ids.pack(Infinity)].flatMap((piece) => [...unpackIds(piece)]);
      const seen = stored.map(({ key: { high, low }, hashes: [body], sequence }) => [
        `${high}:${low}`,
        { body, sequence },
      ]);
      expect(seen).toEqual([...model]);
    }),
  );
});

test("a table says when it is full", () => {
  const ids = createRecentIds(2);
  ids.add({ high: 1, low: 1 }, [0, 0]);
  expect(ids.full()).toBe(false);
  ids.add({ high: 2, low: 2 }, [0, 0]);
  expect(ids.full()).toBe(true);
});

test("ids are packed in pieces, without those that are not stored and those beyond the asked sequence", () => {
  const ids = createRecentIds(2000);
  for (let n = 0; n < 1300; n += 1) {
    const slot = ids.add({ high: -n, low: n }, [n, ~n]);
    if (n % 13 > 0) ids.settle(slot, n + 2 ** 40, 0);
  }
  const stored = [...ids.pack(1200 + 2 ** 40)].flatMap((piece) => [...unpackIds(piece)]);
  const expected = Array.from({ length: 1201 }, (_, n) => n).filter((n) => n % 13 > 0);
  expect(stored).toEqual(expected.map((n) => ({ key: { high: -n, low: n }, hashes: [n, ~n], sequence: n + 2 ** 40 })));
});
