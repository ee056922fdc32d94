import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createExactScan } from "./exact-scan.ts";

const letters = fc.constantFrom("a", "b", "c", "é", "\u{1F600}", " ");
const texts = fc.array(letters, { maxLength: 40 }).map((all) => all.join(""));
const words = fc.array(letters, { minLength: 2, maxLength: 12 }).map((all) => all.join(""));

test("it finds what a search for each word finds", () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 6 }), texts, (given, text) => {
      expect(createExactScan(given)(text)).toBe(given.some((word) => text.includes(word)));
    }),
    { numRuns: 2000 },
  );
});

test("a word is found wherever it stands, however long", () => {
  const word = "x".repeat(999) + "y";
  const scan = createExactScan([word, "needle-in-hay"]);
  expect([word, `a${word}`, `${word}b`, "..needle-in-hay", "needle-in-hax", "x".repeat(5000)].map(scan)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
