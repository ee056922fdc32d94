import { describe, expect, test } from "vitest";
import { screenWith } from "../testing/scripted-terminal.ts";
import { goesOn, isAtStart, isBlankRow, lastRow, markedRow, typedPromptText, rowOf } from "./prompt-rows.ts";

const LINES = ["said before", "", "> first", "", "  third", "below"];
const at = (x: number, y: number, more = {}) => screenWith(LINES, { x, y }, more);

describe("a row of a screen", () => {
  test("is read without what is faint, hard blanks and blanks at its end", () => {
    const screen = at(0, 0, { lines: ["a\u00a0b \u00a0", "hint"], solid: ["a\u00a0b \u00a0", ""] });
    expect([rowOf(screen, 0), rowOf(screen, 1), rowOf(screen, 2)]).toEqual(["a b", "", ""]);
    expect(rowOf(at(0, 0, { lines: ["hint"] }), 0)).toBe("hint");
    expect([isBlankRow(screen, 0), isBlankRow(screen, 1)]).toEqual([false, true]);
  });

  test("goes on the text above when it is blank or leaves two columns free", () => {
    const screen = at(0, 0, { lines: ["", "  a", " a", "   ", "a"] });
    expect([0, 1, 2, 3, 4].map((y) => goesOn(screen, y))).toEqual([true, true, false, true, false]);
  });

  test("is the last when nothing stands below it, faint or not", () => {
    expect(lastRow(at(0, 0, { lines: ["a", "hint", " "], solid: ["a", "", ""] }))).toBe(1);
    expect(lastRow(at(0, 0, { lines: ["", " "] }))).toBe(-1);
  });
});

describe("the marked row of the cursor", () => {
  test.each([
    ["is its own", 2, 2, 2],
    ["is the one whose text it goes on", 2, 4, 2],
    ["is none when the cursor is in the mark's columns", 1, 2, undefined],
    ["is none below something else", 4, 5, undefined],
    ["is none above it", 4, 0, undefined],
  ])("%s", (_, x, y, row) => expect(markedRow(at(x, y), ">")).toBe(row));

  test("may be the first of the screen, and is none without the mark in its first column", () => {
    const lines = (...rows: readonly string[]) => at(2, rows.length - 1, { lines: rows });
    expect(markedRow(lines("> a", "  b"), ">")).toBe(0);
    expect(markedRow(lines(">", "  b"), ">")).toBe(0);
    expect(markedRow(lines(">a", "  b"), ">")).toBeUndefined();
    expect(markedRow(lines(" > a"), ">")).toBeUndefined();
    expect(markedRow(lines("  a", "  b"), ">")).toBeUndefined();
    expect(markedRow(lines("> a", "b", "  c"), ">")).toBeUndefined();
  });
});

test("the text of a prompt is what stands behind the mark, row by row", () => {
  expect(typedPromptText(at(2, 2), { first: 2, last: 4 })).toBe("first\n\nthird");
  expect(typedPromptText(at(2, 2), { first: 2, last: 2 })).toBe("first");
});

test.each([
  [2, 2, true],
  [3, 2, false],
  [1, 2, false],
  [2, 3, false],
])("the cursor in column %d of row %d is at the start: %s", (x, y, isStart) => {
  expect(isAtStart(at(x, y), { first: 2, last: 4 })).toBe(isStart);
});
