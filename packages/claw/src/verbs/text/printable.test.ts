import { expect, test } from "vitest";
import { printable, printableText } from "./printable.ts";

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
