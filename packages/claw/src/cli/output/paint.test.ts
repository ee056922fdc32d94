import { expect, test } from "vitest";
import { createColours } from "./paint.ts";

const ESC = "\u001b";

test("a style begins before its text and ends behind it", () => {
  const { bold, cyan } = createColours(true);
  expect([bold("a"), cyan("b")]).toEqual([`${ESC}[1ma${ESC}[22m`, `${ESC}[36mb${ESC}[39m`]);
});

test("a style goes on behind another one inside of it, also one with the same end", () => {
  const { bold, dim, red } = createColours(true);
  expect(bold(`a${dim("b")}c`)).toBe(`${ESC}[1ma${ESC}[2mb${ESC}[22m${ESC}[1mc${ESC}[22m`);
  expect(bold(red("a"))).toBe(`${ESC}[1m${ESC}[31ma${ESC}[39m${ESC}[22m`);
});

test("without colours every text stays as it is", () => {
  const colours = createColours(false);
  expect(Object.values(colours).map((style) => style("a"))).toEqual(Object.keys(colours).map(() => "a"));
});
