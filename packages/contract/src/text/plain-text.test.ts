import { expect, test } from "vitest";
import { cutChars, firstChars, oneLine, replaceControls, shellQuote, trimEndOf, unicodeEscape } from "./plain-text.ts";

test("every control character except tab and line feed is replaced", () => {
  const all = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join("");
  const left = replaceControls(all, () => "");
  expect([left.slice(0, 3), left.includes("~"), left.at(-1), left.length]).toEqual(["\t\n ", true, "\u00a0", 98]);
});

test("an escape has four digits", () => {
  expect(["\u0000", "\u001b", "\u202e"].map(unicodeEscape)).toEqual(["\\u0000", "\\u001b", "\\u202e"]);
});

test("a plain word stays as it is, anything else stands in quotes", () => {
  const words = ["a-b_c.d/e", "--limit=5", "a b", "", "$HOME", "it's", "a\nb", "*", "ü"];
  expect(words.map(shellQuote)).toEqual([
    "a-b_c.d/e",
    "--limit=5",
    "'a b'",
    "''",
    "'$HOME'",
    String.raw`'it'\''s'`,
    "'a\nb'",
    "'*'",
    "'ü'",
  ]);
});

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
