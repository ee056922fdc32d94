import { expect, test } from "vitest";
import { cutChars, firstChars, oneLine, trimEndOf } from "./short-text.ts";

test.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["abc", 9, "abc"],
  ["abc", 0, ""],
  ["a😀b", 2, "a"],
  ["a😀b", 3, "a😀"],
])("of %s the first %i are %s", (text, count, first) => {
  expect(firstChars(text, count)).toBe(first);
});

test("a text that is cut ends with a mark", () => {
  expect([cutChars("abc", 3), cutChars("abcd", 3), cutChars("abcd", 3, 2)]).toEqual(["abc", "abc…", "ab…"]);
});

test("white space of any kind is one blank", () => {
  expect(oneLine("\n a\t\r\n b\u2028c ")).toBe("a b c");
});

test.each([
  ["/a//b//", "/", "/a//b"],
  ["a.!?", "?!.", "a"],
  ["///", "/", ""],
  ["", "/", ""],
  ["/a", "/", "/a"],
])("%j without %j at its end is %j", (text, characters, rest) => expect(trimEndOf(text, characters)).toBe(rest));
