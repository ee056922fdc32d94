import { expect, test } from "vitest";
import { fitsStars } from "./fits-stars.ts";

test.each([
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["a", "", false],
  ["a*", "a", true],
  ["a*c", "abbc", true],
  ["a*c", "abcb", false],
  ["*b*b", "abab", true],
  ["*b*b", "aba", false],
  ["a**", "abc", true],
  ["a*b*", "ab\ncb", false],
  ["a*\n*b", "a1\n2b", true],
  ["a*\n*b", "a1\n2\nb", false],
  ["*\n", "\n", true],
])("%j says %j: %j", (pattern, text, fits) => expect(fitsStars(pattern, text, "\n")).toBe(fits));

test("a star is any text where nothing is excepted", () => expect(fitsStars("a*b", "a\n\0b")).toBe(true));
