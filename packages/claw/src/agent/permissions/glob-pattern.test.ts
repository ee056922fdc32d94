import { expect, test } from "vitest";
import { globPattern } from "./glob-pattern.ts";

test.each([
  ["src/**", "src/a/b", true],
  ["src/**", "src", true],
  ["src/**", "srcs/a", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "a/b/c.ts", true],
  ["**/*.ts", "a/b/c.tsx", false],
  ["*.ts", "a/b.ts", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["*.{ts,js}", "x.js", true],
  ["{a,b}/{c,d}", "b/c", true],
  ["{a,b", "{a,b", true],
  ["a.c", "abc", false],
  ["a/**/z", "a/z", true],
  ["a/**/z", "a/b/c/z", true],
  ["[ab]", "a", false],
  ["*a*b", "xaxbxb", true],
  ["a**b", "axxb", true],
  ["", "", true],
])("%s and %s: %s", (glob, path, fits) => {
  expect(globPattern(glob).test(path)).toBe(fits);
});

test("a hostile pattern comes to an end", () => {
  expect(globPattern(`${"**/a/".repeat(50)}b`).test("a/".repeat(1000))).toBe(false);
  expect(globPattern(`${"*a".repeat(100)}b`).test("a".repeat(2000))).toBe(false);
  expect(globPattern("{a,b}".repeat(50)).test("a".repeat(50))).toBe(false);
});
