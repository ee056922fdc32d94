import { DEFAULT_TOOLS, toolInputSchema } from "claw-contract/schemas";
import { expect, test } from "vitest";
import type { JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import { readArguments } from "./read-arguments.ts";

const { claws_run: RUN } = DEFAULT_TOOLS;

function problemOf(input: JsonObject): { code: string; message: string } {
  try {
    readArguments({ name: RUN.name, schema: RUN.input, shown: toolInputSchema(RUN.input) }, input);
  } catch (error) {
    if (error instanceof ClawError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("the arguments were taken");
}

test("an unknown argument is refused by its name, with the nearest known one", () => {
  expect(problemOf({ mision: "x" })).toEqual({
    code: "UNKNOWN_OPTION",
    message: "mision: unknown argument; did you mean mission?",
  });
});

test("an unknown argument inside of a list is named with its place, and compared with the names there", () => {
  expect(problemOf({ workers: [{ mission: "x" }, { mission: "y", wait_second: 1, budget: 1 }] })).toEqual({
    code: "UNKNOWN_OPTION",
    message:
      "workers.1.wait_second: unknown argument; known are mission, name, harness, model, checks, budget_usd, on; " +
      "workers.1.budget: unknown argument; did you mean budget_usd?",
  });
});

test("a wrong value and an unknown argument are told together", () => {
  const { code, message } = problemOf({ mission: 1, x: 1 });
  expect(code).toBe("INVALID_FLAG_VALUE");
  expect(message).toContain("mission: ");
  expect(message).toContain("x: unknown argument");
});

test("many or long unknown names give a short message", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`unknown${at}`.repeat(100), at]));
  expect(problemOf(many).message.length).toBeLessThan(5000);
});
