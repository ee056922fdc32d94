import { expect, test } from "vitest";
import { amountIn, lineIn, textIn, timeIn, worktreeChangesIn } from "./worker-fact.ts";

test("a line is one line, cut at its limit and not before", () => {
  expect(lineIn(" a\n\tb ")).toBe("a b");
  expect(lineIn("x".repeat(200))).toBe("x".repeat(200));
  expect(lineIn("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
  expect(lineIn(`${" ".repeat(400)}x`)).toBeNull();
  expect(lineIn(`${" ".repeat(399)}x`)).toBe("x");
  for (const value of ["", " \n", 5, null, undefined]) expect(lineIn(value)).toBeNull();
});

test("texts, amounts and times are what they seem, or nothing", () => {
  expect([textIn("a"), textIn(""), textIn(5)]).toEqual(["a", null, null]);
  expect([amountIn(0), amountIn(1.5), amountIn(-0.1), amountIn(Infinity), amountIn("1")]).toEqual([
    0,
    1.5,
    null,
    null,
    null,
  ]);
  expect([timeIn("1970-01-01T00:00:00.005Z"), timeIn("soon"), timeIn(5)]).toEqual([5, null, null]);
});

const DIFF = { files: 2, insertions: 5, deletions: 1 };

test.each([
  [
    { diff: DIFF, commits: [{ sha: "a" }], uncommitted: 1 },
    { ...DIFF, commits: 1, uncommitted: 1 },
  ],
  [
    { diff: { files: "2" }, commits: [] },
    { files: 0, insertions: 0, deletions: 0, commits: 0, uncommitted: 0 },
  ],
  [{ diff: null, commits: [] }, null],
  [{ diff: DIFF }, null],
  [{}, null],
])("a report %o says of its worktree %o", (report, changes) => {
  expect(worktreeChangesIn(report)).toEqual(changes);
});
