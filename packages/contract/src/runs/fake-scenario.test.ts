import { describe, expect, test } from "vitest";
import { FakeScenario } from "./fake-scenario.ts";
import { LIMITS } from "../limits/limits.ts";

/** What is wrong with a value, as `place: message`. */
function problems(value: unknown): string[] {
  const reading = FakeScenario.safeParse(value);
  return reading.success ? [] : reading.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const steps = (...items: unknown[]): unknown => ({ steps: items });

describe("a scenario", () => {
  test("needs nothing but steps, and may have none of them", () => {
    expect(FakeScenario.parse({ steps: [] })).toEqual({ steps: [] });
  });

  test("gets what was left out of a step", () => {
    expect(FakeScenario.parse(steps({ type: "tool", name: "Bash", input: {} }, { type: "retry" }))).toEqual({
      steps: [
        { type: "tool", name: "Bash", input: {}, output: "", failed: false },
        { type: "retry", status: 429, attempt: 1, of: 1, delay_ms: 0 },
      ],
    });
  });

  test.each([
    ["a step nobody knows", steps({ type: "dance" }), /^steps\.0\.type: /],
    ["a step without its text", steps({ type: "text" }), /^steps\.0\.text: /],
    ["a member that is misspelt", steps({ type: "text", text: "x", repaet: 2 }), /repaet/],
    ["a member of its own that is misspelt", { steps: [], exitcode: 1 }, /exitcode/],
    [
      "steps inside that are wrong",
      steps({ type: "repeat", times: 1, steps: [{ type: "hnag" }] }),
      /^steps\.0\.steps\.0\.type/,
    ],
    ["an exit there is not", { steps: [], exit_code: 256 }, /^exit_code: /],
    [
      "a text too large for memory",
      steps({ type: "text", text: "xx", repeat: LIMITS.fakeTextBytes }),
      /^steps\.0\.repeat: /,
    ],
    ["no object", [], /^: /],
  ])("is refused with the place: %s", (_name, value, expected) => {
    expect(problems(value)[0]).toMatch(expected);
  });
});
