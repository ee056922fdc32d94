import { expect, test } from "vitest";
import { MARKED, PLAIN } from "../testing/test-ports.ts";
import { nextSteps, pairs, plural, table } from "./text-layout.ts";

test("pairs stand in two columns", () => {
  expect(
    pairs(
      [
        ["a", "1"],
        ["long", "2"],
      ],
      MARKED,
    ),
  ).toBe("<dim>a   </dim>  1\n<dim>long</dim>  2");
  expect(pairs([], PLAIN)).toBe("");
});

test("a table has aligned columns and no blanks at the end of a line", () => {
  const rows = [
    ["alpha", "1", ""],
    ["b", "22", "in use"],
  ];
  expect(table(["NAME", "N", "STATE"], rows, PLAIN)).toBe("NAME   N   STATE\nalpha  1\nb      22  in use");
  expect(table(["NAME", "N"], [], MARKED)).toBe("<dim>NAME  N</dim>");
});

test("the last column of a table ends where the terminal does", () => {
  const rows = [["t_001", "a title that is much too long for what is left"]];
  const narrow = table(["TASK", "TITLE"], rows, { ...PLAIN, columns: 24 }).split("\n");
  expect(narrow).toEqual(["TASK   TITLE", "t_001  a title that is …"]);
  expect(table(["TASK", "TITLE"], rows, { ...PLAIN, columns: 3 })).toContain("t_001  a title…");
});

test("wide characters take the room that a terminal gives them", () => {
  const rows = [
    ["名前", "a", "x"],
    ["cafe\u0301", "👩‍👩‍👧‍👦", "名前名前名前"],
  ];
  expect(table(["NAME", "N", "LAST"], rows, { ...PLAIN, columns: 18 }).split("\n")).toEqual([
    "NAME  N   LAST",
    "名前  a   x",
    "cafe\u0301  👩‍👩‍👧‍👦  名前名…",
  ]);
  expect(
    pairs(
      [
        ["名", "1"],
        ["ab", "2"],
      ],
      PLAIN,
    ),
  ).toBe("名  1\nab  2");
});

test("a cell is one line", () => {
  expect(table(["NAME", "N"], [["a\n\tb\u001b", "1"]], PLAIN)).toBe("NAME       N\na b\\u001b  1");
});

test("next steps are aligned under their heading", () => {
  const steps = [
    { command: "claw a", description: "one" },
    { command: "claw long", description: "two" },
  ];
  expect(nextSteps(steps, PLAIN)).toBe("Try next\n  claw a     one\n  claw long  two");
});

test("one thing is one, others are many", () => {
  expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});
