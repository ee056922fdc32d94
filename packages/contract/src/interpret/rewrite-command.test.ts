import { expect, test } from "vitest";
import { EMPTY_HISTORY, rewriteCommand } from "./index.ts";

const remember = (...pairs: [string, string][]) => ({ redirects: pairs.map(([from, to]) => ({ from, to })) });

test("a command without a remembered redirect stays as it is", () => {
  expect(rewriteCommand("A", remember(["B", "C"]))).toBe("A");
});

test("chains are followed to their end", () => {
  expect(rewriteCommand("A", remember(["A", "B"], ["B", "C"], ["C", "D"]))).toBe("D");
});

test("a chain that turns in a circle leaves the command unchanged", () => {
  expect(rewriteCommand("A", remember(["A", "B"], ["B", "C"], ["C", "B"]))).toBe("A");
  expect(rewriteCommand("A", remember(["A", "A"]))).toBe("A");
});

test("names that every object has are commands like any other", () => {
  expect(rewriteCommand("constructor", EMPTY_HISTORY)).toBe("constructor");
  expect(rewriteCommand("__proto__", remember(["__proto__", "B"]))).toBe("B");
});

test.each([
  undefined,
  null,
  5,
  "junk",
  [],
  { redirects: "no" },
  { redirects: [null, 5, { from: 1, to: "B" }, { from: "A" }] },
])("the history %j teaches nothing", (history) => {
  expect(rewriteCommand("A", history)).toBe("A");
});
