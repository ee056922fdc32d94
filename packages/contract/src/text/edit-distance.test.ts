import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearest } from "./edit-distance.ts";

const VERBS = ["list-sessions", "load-session", "delete-session", "prompt", "status", "doctor", "up", "down", "ps"];
const near = (word: string, limit = 3): string[] => nearest(word, VERBS, { limit });

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "", 3],
  ["abc", "abd", 1],
  ["abc", "acb", 1],
  ["abc", "xabc", 1],
  ["kitten", "sitting", 3],
])("%j and %j are %s edits apart", (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

test.each([
  ["prmopt", ["prompt"]],
  ["statsu", ["status"]],
  ["STATUS", ["status"]],
  ["load-sesion", ["load-session"]],
  ["list-session", ["list-sessions", "load-session"]],
  ["sp", ["up", "ps"]],
  ["doc", ["doctor"]],
])("%s is taken for %j", (word, verbs) => {
  expect(near(word)).toEqual(verbs);
});

test.each(["", "x", "zzzzzz", "deploy-everything", "do", "explain this repository to me"])(
  "%j resembles nothing",
  (word) => {
    expect(near(word)).toEqual([]);
  },
);

test("an exact match comes first, and each candidate once", () => {
  expect(nearest("stats", ["status", "stats", "status", "start"], { limit: 5 })).toEqual(["stats", "status", "start"]);
});

test("a shared beginning is nearer than a shared end", () => {
  expect(nearest("resume", ["presume", "resumed"], { limit: 1 })).toEqual(["resumed"]);
});

test.each([0, -1, Number.NaN])("a limit of %s returns nothing", (limit) => {
  expect(near("prompt", limit)).toEqual([]);
});

test("a huge word or candidate is answered at once with nothing", () => {
  const huge = "prompt".repeat(20_000);
  expect(nearest(huge, VERBS, { limit: 3 })).toEqual([]);
  expect(nearest("prompt", [huge, "prompt"], { limit: 3 })).toEqual(["prompt"]);
});

test("distance is symmetric, zero only for equals, and at most the longer length", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (left, right) => {
      const distance = editDistance(left, right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance === 0).toBe(left === right);
      expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
    }),
  );
});

test("every single typo in a long verb is found", () => {
  const verb = "delete-session";
  fc.assert(
    fc.property(fc.nat({ max: verb.length - 1 }), fc.constantFrom("", "x"), (index, inserted) => {
      expect(near(verb.slice(0, index) + inserted + verb.slice(index + 1))).toContain(verb);
    }),
  );
});
