import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRecordShelf } from "./record-shelf.ts";

test("a value that is put away is read as it was, at its place", () => {
  const shelf = createRecordShelf((_value: { readonly n: number; readonly text?: string }) => null);
  shelf.set("a", { n: 1, text: 'ü "\u2028\n' });
  shelf.set("b", { n: 2 });
  shelf.putAway("a");
  shelf.putAway("unknown");
  expect([shelf.get("a"), shelf.get("b"), shelf.keys()]).toEqual([{ n: 1, text: 'ü "\u2028\n' }, { n: 2 }, ["a", "b"]]);
  expect([...shelf.out()]).toEqual([["b", { n: 2 }]]);
  shelf.set("a", { n: 3 });
  expect([shelf.get("a"), shelf.keys()]).toEqual([{ n: 3 }, ["a", "b"]]);
  shelf.delete("a");
  expect([shelf.has("a"), shelf.get("a"), shelf.keys()]).toEqual([false, undefined, ["b"]]);
});

const twice = ({ n }: { readonly n: number }): number => n * 2;

test("what is saved is loaded in its order, and stays put away", () => {
  const shelf = createRecordShelf(twice);
  for (const n of [1, 2, 3]) shelf.set(String(n), { n });
  shelf.putAway("2");
  const again = createRecordShelf(twice);
  again.load(JSON.parse(JSON.stringify(shelf.save())));
  expect(again.keys().map((key) => again.get(key))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect([...again.out().keys()]).toEqual(["1", "3"]);
});

test("a value that is put away has a label, after a load too, and when an older claw saved none", () => {
  const shelf = createRecordShelf(twice);
  for (const n of [1, 2]) shelf.set(String(n), { n });
  shelf.putAway("2");
  const labels = (of: typeof shelf): unknown[] => of.keys().map((key) => of.label(key));
  expect([labels(shelf), shelf.label("unknown")]).toEqual([[undefined, 4], undefined]);
  const again = createRecordShelf(twice);
  again.load(shelf.save());
  expect(labels(again)).toEqual([undefined, 4]);
  const older: readonly (readonly [string, string | { n: number }, number?])[][] = [
    [
      ["1", { n: 1 }],
      ["2", '{"n":2}'],
    ],
    [
      ["1", { n: 1 }],
      ["2", '{"n":2}', 4],
    ],
  ];
  for (const saved of older) {
    const upgraded = createRecordShelf(twice);
    upgraded.load(saved);
    expect([labels(upgraded), upgraded.get("2")]).toEqual([[undefined, 4], { n: 2 }]);
  }
  again.set("2", { n: 5 });
  expect(labels(again)).toEqual([undefined, undefined]);
});

const step = fc.record({
  key: fc.constantFrom("a", "b", "c", "d"),
  act: fc.constantFrom("set", "away", "delete", "load"),
});

test("whatever happens between saving and loading, each value is read as it was set last", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let shelf = createRecordShelf(twice);
      const model = new Map<string, number>();
      for (const [n, { key, act }] of steps.entries()) {
        if (act === "set") shelf.set(key, { n });
        if (act === "set") model.set(key, n);
        if (act === "away") shelf.putAway(key);
        if (act === "delete") shelf.delete(key);
        if (act === "delete") model.delete(key);
        if (act !== "load") continue;
        const again = createRecordShelf(twice);
        again.load(JSON.parse(JSON.stringify(shelf.save())));
        expect(again.save()).toEqual(shelf.save());
        shelf = again;
      }
      expect(shelf.keys().map((key) => [key, shelf.get(key)])).toEqual([...model].map(([key, n]) => [key, { n }]));
    }),
  );
});
