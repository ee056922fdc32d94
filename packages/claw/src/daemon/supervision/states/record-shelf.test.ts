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
  const upgraded = createRecordShelf(twice);
  upgraded.load(shelf.save().map(([key, value]) => [key, value]));
  expect(labels(upgraded)).toEqual([undefined, 4]);
  again.set("2", { n: 5 });
  expect(labels(again)).toEqual([undefined, undefined]);
});
