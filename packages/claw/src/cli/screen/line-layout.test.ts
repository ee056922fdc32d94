import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth } from "../../verbs/index.ts";
import { layoutLine, visibleRows } from "./line-layout.ts";

describe("the rows of a line", () => {
  test("end at the width of the terminal and at line ends", () => {
    expect(layoutLine({ text: "abcdefg\nhi", cursor: 9 }, 5)).toEqual({
      rows: ["abcd", "efg", "hi"],
      cursorRow: 2,
      cursorColumn: 1,
    });
  });

  test("never cut a wide character in two", () => {
    expect(layoutLine({ text: "漢字漢", cursor: 2 }, 5)).toEqual({
      rows: ["漢字", "漢"],
      cursorRow: 1,
      cursorColumn: 0,
    });
  });

  test("hold everything that was typed, and leave room for the cursor", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 3, max: 20 }), (text, columns) => {
        const typed = text.replaceAll(/[\u0000-\u001F\u007F]/g, "");
        const { rows, cursorColumn } = layoutLine({ text: typed, cursor: typed.length }, columns);
        expect(rows.join("")).toBe(typed);
        expect(Math.max(cursorColumn, ...rows.map(textWidth))).toBeLessThan(columns);
      }),
    );
  });

  test("that do not fit on the screen are those around the cursor", () => {
    const layout = layoutLine({ text: "a\nb\nc\nd\ne", cursor: 4 }, 10);
    expect(visibleRows(layout, 2)).toEqual({ rows: ["b", "c"], cursorRow: 1, cursorColumn: 0 });
    expect(visibleRows(layout, 9)).toEqual(layout);
  });
});
