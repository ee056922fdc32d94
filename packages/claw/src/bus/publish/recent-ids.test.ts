import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unpackIds } from "../testing/unpack-ids.ts";
import { createRecentIds } from "./recent-ids.ts";

/** Few keys. Most of them begin their search at the same place, and some agree in the part that stands there. */
const key = fc.record({ high: fc.constantFrom(0, 1, 1 << 20, -1), low: fc.constantFrom(0, 64, 128, 1) });

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
      const stored = unpackIds(ids.pack(Infinity));
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
  const stored = unpackIds(ids.pack(1200 + 2 ** 40));
  const expected = Array.from({ length: 1201 }, (_, n) => n).filter((n) => n % 13 > 0);
  expect(stored).toEqual(expected.map((n) => ({ key: { high: -n, low: n }, hashes: [n, ~n], sequence: n + 2 ** 40 })));
});

test("packed ids are found again, with their bodies, and a removed one is not packed", () => {
  const ids = createRecentIds(1300);
  for (let n = 0; n < 1300; n += 1) ids.settle(ids.add({ high: n, low: n % 7 }, [n, ~n]), n + 1, 0);
  ids.remove(3);
  const again = createRecentIds(2000);
  for (const piece of ids.pack(Infinity)) expect(again.unpack(piece)).toBe(piece.length);
  for (let n = 0; n < 1300; n += 1) {
    const slot = again.find({ high: n, low: n % 7 });
    const known = slot !== -1 && [again.sequence(slot), again.hasBody(slot, n), again.hasBody(slot, ~n)];
    expect(known).toEqual(n === 3 ? false : [n + 1, true, true]);
  }
});

test("a table takes as many packed ids as it has room for, and no unfinished row", () => {
  const ids = createRecentIds(5);
  for (let n = 0; n < 5; n += 1) ids.settle(ids.add({ high: n, low: n }, [n, n]), n + 1, 0);
  const piece = Buffer.concat([...ids.pack(Infinity)]);
  const rowBytes = piece.length / 5;
  const small = createRecentIds(3);
  expect([small.unpack(piece), small.full(), small.unpack(piece)]).toEqual([3 * rowBytes, true, 0]);
  const large = createRecentIds(9);
  expect([large.unpack(piece.subarray(0, -1)), large.full()]).toEqual([4 * rowBytes, false]);
});
