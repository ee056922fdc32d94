import { describe, expect, test } from "vitest";
import { MARKED, PLAIN } from "../testing/test-ports.ts";
import { ago, nextSteps, pairs, plural, table } from "./text-layout.ts";

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

test("next steps are aligned under their heading", () => {
  const steps = [
    { command: "claw a", description: "one" },
    { command: "claw long", description: "two" },
  ];
  expect(nextSteps(steps, PLAIN)).toBe("Try next\n  claw a     one\n  claw long  two");
});

describe("a moment", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  test.each([
    [0, "just now"],
    [59, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86_399, "23 h ago"],
    [86_400, "1 d ago"],
    [864_000, "10 d ago"],
    [-5, "just now"],
  ])("%i seconds back is %s", (seconds, words) => {
    expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(words);
  });
});

test("one thing is one, others are many", () => {
  expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});
