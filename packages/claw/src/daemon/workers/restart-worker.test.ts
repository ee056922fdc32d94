import { expect, test } from "vitest";
import { isGivenUp } from "./restart-worker.ts";

test.each([
  ["a plan's restart", false, undefined, false],
  ["a plan's restart", false, "complete", true],
  ["a plan's restart", false, "aborted", true],
  ["a person's restart", true, undefined, false],
  ["a person's restart", true, "complete", false],
  ["a person's restart", true, "aborted", true],
] as const)("%s (asked for: %s) that is crossed by %s is given up: %s", (_name, isAsked, end, expected) => {
  expect(isGivenUp({ isAsked }, end)).toBe(expected);
});
