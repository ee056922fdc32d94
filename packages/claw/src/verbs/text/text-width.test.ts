import { expect, test } from "vitest";
import { charactersOf, textWidth } from "./text-width.ts";

const MARKS = ["é", "e\u0301", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "字", "a", "\r\n"];

test("characters are found the same, however far into a text they stand", () => {
  for (let before = 0; before < 70; before += 1) {
    const expected = [...Array.from({ length: before }, () => "x"), ...MARKS, ...MARKS];
    expect(charactersOf(expected.join(""))).toEqual(expected);
  }
  const flags = Array.from({ length: 100 }, () => "🇩🇪");
  expect(charactersOf(flags.join(""))).toEqual(flags);
});

test("a character of more accents than anybody reads is cut, and nothing is lost", () => {
  const text = `a${"\u0301".repeat(500)}b`;
  expect([charactersOf(text).join(""), textWidth(text)]).toEqual([text, 2]);
});
