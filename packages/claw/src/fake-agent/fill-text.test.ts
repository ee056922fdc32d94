import { expect, test } from "vitest";
import { fillStep } from "./fill-text.ts";

const known = { prompt: "p $& {{cwd}}", cwd: "/c", model: "m", answer: "a" };

test("what is known stands where a step names it, however deep, and other braces stay", () => {
  const step = {
    type: "tool",
    name: "Bash",
    input: { a: ["{{cwd}}", 1, null] },
    output: "{{prompt}} {{x}}",
    failed: false,
  };
  expect(fillStep(step as Parameters<typeof fillStep>[0], known)).toEqual({
    ...step,
    input: { a: ["/c", 1, null] },
    output: "p $& {{cwd}} {{x}}",
  });
});

test("steps inside a step wait until more is known", () => {
  const inner = [{ type: "text" as const, text: "{{answer}}" }];
  const ask = {
    type: "permission" as const,
    tool: "Bash",
    input: {},
    reason: "{{model}}",
    output: "",
    allowed: inner,
    denied: inner,
  };
  expect(fillStep(ask, known)).toEqual({ ...ask, reason: "m" });
  const repeat = { type: "repeat" as const, times: 2, steps: inner };
  expect(fillStep(repeat, known)).toEqual(repeat);
});
