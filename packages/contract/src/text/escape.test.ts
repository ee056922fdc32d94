import { expect, test } from "vitest";
import { replaceControls, unicodeEscape, shellQuote } from "./escape.ts";

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
