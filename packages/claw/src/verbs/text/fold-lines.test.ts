import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldLines, plainLines, wrapText } from "./fold-lines.ts";

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
