import { expect, test } from "vitest";
import {
  charactersOf,
  cutToWidth,
  firstColumns,
  padToWidth,
  printable,
  printableText,
  shownWidth,
  textWidth,
  widestOf,
} from "./text-width.ts";

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

test("a text is cut and padded by what a terminal shows of it", () => {
  expect([cutToWidth("名前名前", 8), cutToWidth("名前名前", 7), cutToWidth("名前名前", 6)]).toEqual([
    "名前名前",
    "名前名…",
    "名前…",
  ]);
  expect([padToWidth("名", 4), padToWidth("abc", 2), firstColumns("a名b", 2), widestOf(["a", "名前", "abc"])]).toEqual([
    "名  ",
    "abc",
    "a",
    4,
  ]);
  expect(shownWidth("\u001b[31m名\u001b[39m")).toBe(2);
});

test("what could move a cursor, ring or reorder text is shown as an escape", () => {
  expect(printableText("a\u001b[2Jb\u0007\u009b\u202ec\r")).toBe(String.raw`a\u001b[2Jb\u0007\u009b\u202ec\u000d`);
});

test("ordinary text, line ends and tabs stay", () => {
  expect(printableText("Grüße, 世界 🙂\n\tok")).toBe("Grüße, 世界 🙂\n\tok");
});

test("every text in a value is made printable, names too", () => {
  expect(printable({ "a\u001b": ["\u0000", 1, null, { b: "\u0008" }] })).toEqual({
    [String.raw`a\u001b`]: [String.raw`\u0000`, 1, null, { b: String.raw`\u0008` }],
  });
});
