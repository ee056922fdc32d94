import { describe, expect, test } from "vitest";
import { hintOf, unframeError } from "./claw.ts";
import { readEvents } from "../testing/read-events.ts";

const STDERR = "warning: odd\nerror[fake_scenario_not_found]: 'x' is no scenario\nnext: Run `claw fake-agent`.\n";

test("an error of claw comes first and without its frame", () => {
  expect(unframeError(STDERR)).toBe("'x' is no scenario\nnext: Run `claw fake-agent`.\nwarning: odd");
  expect(unframeError("error[timeout]: no answer\n")).toBe("no answer");
  expect(unframeError("Segmentation fault\n")).toBe("Segmentation fault\n");
});

describe("a run of claw's own program", () => {
  test.each(["claw", "fake"] as const)("as %s that fails before it speaks has the error and its hint", (harness) => {
    const { result } = readEvents(harness, [], { evidence: { exitCode: 1, stderr: STDERR } });
    expect(result.error).toMatch(/^'x' is no scenario\n/);
    expect(result.warnings.filter((warning) => warning.includes("error["))).toEqual([]);
    expect(hintOf(result)).toBe("Run `claw fake-agent`.");
  });

  test("that fails with an answer has the hint of that", () => {
    const end = { type: "result", is_error: true, result: "no key", hint: "Set it.", subtype: "error" };
    const { result } = readEvents("claw", [end], { evidence: { exitCode: 1 } });
    expect([result.error, hintOf(result)]).toEqual(["no key", "Set it."]);
  });

  test("that fails without a hint has none", () => {
    expect(hintOf(readEvents("claw", [], { evidence: { exitCode: 1, stderr: "no" } }).result)).toBeUndefined();
  });
});
