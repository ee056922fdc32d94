import { expect, test } from "vitest";
import { createNoteTaker } from "./note-taker.ts";

test("who says nothing has no notes", () => {
  expect(createNoteTaker().notes()).toEqual({ warnings: [] });
});

test("warnings are kept in order and cannot be changed from outside", () => {
  const taker = createNoteTaker();
  taker.warn("one");
  const early = taker.notes();
  taker.warn("two");
  expect([early, taker.notes()]).toEqual([{ warnings: ["one"] }, { warnings: ["one", "two"] }]);
});

test("a page says how much it holds, and is cut when more follows", () => {
  const taker = createNoteTaker();
  taker.page({ total: 5, returned: 5, cursor: undefined });
  expect(taker.notes()).toEqual({ warnings: [], page: { total: 5, returned: 5 } });
  taker.page({ total: 5, returned: 2, cursor: "b" });
  expect(taker.notes()).toEqual({ warnings: [], truncated: true, cursor: "b", page: { total: 5, returned: 2 } });
});

test("an answer whose bulk stands elsewhere is cut without a cursor", () => {
  const taker = createNoteTaker();
  taker.cut();
  expect(taker.notes()).toEqual({ warnings: [], truncated: true });
});
