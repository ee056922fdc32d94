import { describe, expect, test } from "vitest";
import { behavioursOf, newestRecorded, coverageOf, compareVersions } from "./known-behaviour.ts";

describe("a version", () => {
  test.each([
    ["2.1.325", "recorded"],
    ["2.1.197", "recorded"],
    ["2.1.200", "between"],
    ["1.0.0", "older"],
    ["2.2.0", "newer"],
    [null, "unknown"],
  ] as const)("%s of Claude Code is %s", (version, standing) => {
    expect(coverageOf("claude-code", version)).toBe(standing);
  });

  test("is known to do what began before it and did not end before it", () => {
    const [old, current, unknown] = ["2.1.197", "2.1.325", null].map((version) => behavioursOf("claude-code", version));
    const background =
      "Sub-agents work in the background unless told otherwise, and the process waits for them after its first result.";
    const statusless = "Messages about a refusal of the API do not name its HTTP status.";
    expect([old, current, unknown].map((texts) => [texts?.includes(background), texts?.includes(statusless)])).toEqual([
      [false, true],
      [true, false],
      [true, true],
    ]);
  });

  test("is compared with the newest that was recorded", () => {
    expect([newestRecorded("claude-code"), newestRecorded("codex")]).toEqual(["2.1.325", "0.166.0"]);
  });
});

test("versions are ordered by their numbers, not by their digits", () => {
  const versions = ["2.1.325", "0.166.0", "2.1.63", "10.0.0", "2.1.198"];
  expect(versions.toSorted(compareVersions)).toEqual(["0.166.0", "2.1.63", "2.1.198", "2.1.325", "10.0.0"]);
});

test("what follows the numbers does not count", () => {
  expect([compareVersions("1.2.3-beta.1", "1.2.3"), compareVersions("1.2", "1.2.0")]).toEqual([0, 0]);
});
