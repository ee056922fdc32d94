import { expect, test } from "vitest";
import { matchesTool } from "./match-tool.ts";

test.each([
  ["*", true],
  ["", true],
  [" | ", true],
  ["write_file", true],
  ["WRITE_FILE", true],
  ["bash, write_file", true],
  ["bash|Write", true],
  ["write*", true],
  ["*_file", true],
  [".*file", true],
  ["w*t*", true],
  ["bash|", false],
  ["file", false],
  ["write", true],
  ["write.file", false],
  ["[a-z]+", false],
  ["(", false],
])("%j means write_file, which is called Write too: %s", (matcher, matches) => {
  expect(matchesTool(matcher, ["write_file", "Write"])).toBe(matches);
});
