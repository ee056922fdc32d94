import { expect, test } from "vitest";
import * as fc from "fast-check";
import { MARKED, PLAIN } from "../testing/test-ports.ts";
import { foldLines, nextSteps, pairs, plainLines, plural, table, wrapText } from "./text-layout.ts";

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
  expect(nextSteps(steps, { ...PLAIN, columns: 16 })).toBe(nextSteps(steps, PLAIN));
  expect(nextSteps(steps, { ...PLAIN, columns: 15 })).toBe("Try next\n  claw a\n      one\n  claw long\n      two");
});

test("one thing is one, others are many", () => {
  expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});

test("a line is broken between words, below the beginning of its text", () => {
  expect(foldLines("next: set the key of your provider", 20)).toBe("next: set the key of\nyour provider");
  expect(foldLines("  state  one two three four", 20)).toBe("  state  one two\n         three four");
  expect(foldLines("short\nlines stay", 20)).toBe("short\nlines stay");
});

test("a word is never broken, and colours take no room", () => {
  expect(foldLines("a ANTHROPIC_API_KEY b", 8)).toBe("a\nANTHROPIC_API_KEY\nb");
  expect(foldLines("\u001B[31merror\u001B[39m: it is", 12)).toBe("\u001B[31merror\u001B[39m: it is");
});

test("without a terminal a text is as it is", () => {
  expect(foldLines("x ".repeat(200), Infinity)).toBe("x ".repeat(200));
});

const lines = (text: string, columns: number): string =>
  plainLines(text, [], columns)
    .map((span) => span.text)
    .join("");

test("a row goes on below its last column, an indented line below its beginning", () => {
  expect(lines("ok  Git   a version of it\n  and more than fits", 18)).toBe(
    "ok  Git   a\nversion of it\n  and more than\n  fits\n",
  );
  expect(lines("ok  Git   a version of it", 20)).toBe("ok  Git   a version\n          of it\n");
});

test("what fits stays as it is, and ends with one line end", () => {
  expect(lines("one\n\ntwo\n\n", 80)).toBe("one\n\ntwo\n");
});

test("a wide character takes two columns, before the text and in it", () => {
  expect(foldLines("  名前  one two three", 16)).toBe("  名前  one two\n        three");
  expect(foldLines("名前名前 名前名前", 12)).toBe("名前名前\n名前名前");
});

test("colours do not change where a line is broken", () => {
  const dim = (text: string): string => `\u001B[2m${text}\u001B[22m`;
  expect(foldLines(`${dim("state  ")}  one two three`, 18)).toBe(`${dim("state  ")}  one two\n         three`);
});

test("a text behind a margin has lines of 80 columns", () => {
  const word = "x".repeat(35);
  expect(wrapText(`${word} ${word} ${word}`, 4)).toBe(`${word} ${word}\n    ${word}`);
});

test("plain words are broken where words with a colour before them are", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "-", "x"), minLength: 1, maxLength: 9 });
  const blank = fc.constantFrom(" ", " ", " ", "  ", "     ");
  const line = fc.array(fc.tuple(blank, word), { maxLength: 12 }).map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(line, fc.constantFrom("", " ", "  "), fc.integer({ min: 1, max: 30 }), (text, end, columns) => {
      const reset = "\u001B[39m";
      expect(`${reset}${foldLines(text + end, columns)}`).toBe(foldLines(reset + text + end, columns));
    }),
  );
});
