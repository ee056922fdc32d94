import { array, assert, constantFrom, dictionary, integer, letrec, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "./is-too-deep.ts";

/** Arrays and objects in each other, by walking the parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("a line is too deep exactly when its parsed value is", () => {
  const text = string({ unit: constantFrom("[", "]", "{", "}", '"', "\\", "a", "ü") });
  const { value } = letrec((tie) => ({
    value: oneof({ maxDepth: 8 }, text, array(tie("value")), dictionary(text, tie("value"))),
  }));
  assert(
    property(value, integer({ min: 0, max: 9 }), (deep, limit) => {
      expect(isTooDeep(JSON.stringify(deep), limit)).toBe(depthOf(deep) > limit);
    }),
  );
});

test.each([
  ["as deep as allowed", `${"[".repeat(500)}${"]".repeat(500)}`, false],
  ["one deeper", `${"[".repeat(501)}${"]".repeat(501)}`, true],
  ["one deeper, and not ended", "[".repeat(501), true],
  ["wide", `[${"[],".repeat(10_000)}0]`, false],
  ["brackets in a text", `"${"[".repeat(1000)}"`, false],
])("%s", (_what, line, expected) => {
  expect(isTooDeep(line, 500)).toBe(expected);
});

// Each of these took a scan that starts again at every quote minutes.
test.each([
  ["escaped quotes that no text begins with", `${"[".repeat(500)}${"]".repeat(500)}{${'\\"'.repeat(500_000)}`],
  ["a text that does not end", `${"[".repeat(500)}"${'\\"'.repeat(500_000)}[`],
  ["quotes behind backslashes", `${"[".repeat(500)}${'\\\\\\"'.repeat(250_000)}[`],
])("%s take no longer than other lines", (_what, line) => {
  expect(isTooDeep(line, 500)).toBe(false);
});
