import { describe, expect, test } from "vitest";
import { behavioursOf, newestRecorded, coverageOf } from "./known-behaviour.ts";

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
