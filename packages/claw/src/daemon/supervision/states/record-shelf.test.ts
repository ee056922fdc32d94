import { expect, test } from "vitest";
import { createRecordShelf } from "./record-shelf.ts";

test("a value that is put away is read as it was, at its place", () => {
  const shelf = createRecordShelf<{ readonly n: number; readonly text?: string }>();
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

test("what is saved is loaded in its order, and stays put away", () => {
  const shelf = createRecordShelf<{ readonly n: number }>();
  for (const n of [1, 2, 3]) shelf.set(String(n), { n });
  shelf.putAway("2");
  const again = createRecordShelf<{ readonly n: number }>();
  again.load(JSON.parse(JSON.stringify(shelf.save())));
  expect(again.keys().map((key) => again.get(key))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect([...again.out().keys()]).toEqual(["1", "3"]);
});
