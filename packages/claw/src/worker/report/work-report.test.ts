import { expect, test } from "vitest";
import { lastTellingLine } from "./work-report.ts";

test.each([
  ["Done.\n", "Done."],
  ["Mended:\n```js\ntotal(2)\n```\n", "total(2)"],
  ["完成了。\n\n---\n", "完成了。"],
  ["***", ""],
  ["", ""],
])("of %j the summary is %j", (text, words) => {
  expect(lastTellingLine(text)).toBe(words);
});
