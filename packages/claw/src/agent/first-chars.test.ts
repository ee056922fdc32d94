import { expect, test } from "vitest";
import { firstChars } from "./first-chars.ts";

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
