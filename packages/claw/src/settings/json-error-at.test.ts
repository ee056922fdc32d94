import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonErrorAt } from "./json-error-at.ts";

test.each([
  ['{"a": }', 6],
  ['{"a" 1}', 5],
  ["[1,,2]", 3],
  ['{"a":1,}', 7],
  ["[1] x", 4],
  ["nul", 0],
  ['"open', 0],
  ['{"a":1', 6],
  ["", 0],
])("%s stops making sense at %i", (text, at) => {
  expect(jsonErrorAt(text)).toBe(at);
});

test("a text that is JSON makes sense to its end", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(jsonErrorAt(text)).toBe(text.length);
    }),
  );
});

test("a hundred thousand brackets are read without recursion", () => {
  expect(jsonErrorAt("[".repeat(100_000))).toBe(100_000);
});
