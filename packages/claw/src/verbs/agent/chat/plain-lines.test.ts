import { expect, test } from "vitest";
import { plainLines } from "./plain-lines.ts";

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
