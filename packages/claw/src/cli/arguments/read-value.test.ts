import type { FieldSpec } from "claw-contract";
import { describe, expect, test } from "vitest";
import { paramName, readValue } from "./read-value.ts";

const field = (more: Partial<FieldSpec>): FieldSpec => ({
  name: "limit",
  type: "string",
  required: false,
  description: "",
  flag: "limit",
  ...more,
});

const valueOf = (spec: FieldSpec, text: string): unknown => {
  const reading = readValue(spec, text);
  return reading.kind === "value" ? reading.value : "refused";
};

test("a flag is called by its spelling, a positional by its name in capitals", () => {
  expect(paramName(field({}))).toBe("--limit");
  expect(paramName({ name: "sessionId", type: "string", required: true, description: "", positional: 0 })).toBe(
    "SESSION_ID",
  );
});

describe("values", () => {
  const whole = field({ type: "integer", min: 1, max: 100 });
  const part = field({ type: "number", min: 0 });

  test.each([
    ["1", 1],
    ["100", 100],
    ["007", 7],
    ["1e1", 10],
    ["5.0", 5],
    ["0", "refused"],
    ["101", "refused"],
    ["-1", "refused"],
    ["1.5", "refused"],
    ["", "refused"],
    [" 5", "refused"],
    ["5 ", "refused"],
    ["0x10", "refused"],
    ["1_000", "refused"],
    ["٥", "refused"],
    ["NaN", "refused"],
    ["Infinity", "refused"],
    ["1e999", "refused"],
    ["9007199254740993", "refused"],
  ])("%j as a whole number from 1 to 100 is %j", (text, value) => {
    expect(valueOf(whole, text)).toBe(value);
  });

  test.each([
    ["0", 0],
    ["0.5", 0.5],
    ["1e3", 1000],
    ["1e-3", 0.001],
    ["1e+3", 1000],
    ["-0.1", "refused"],
    [".5", "refused"],
    ["1e999", "refused"],
  ])("%j as a number from 0 is %j", (text, value) => {
    expect(valueOf(part, text)).toBe(value);
  });

  test("switches are true or false", () => {
    const texts = ["true", "false", "TRUE", "1", "yes", ""];
    expect(texts.map((text) => valueOf(field({ type: "boolean" }), text))).toEqual([
      true,
      false,
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
  });

  test("words of a list match as they are spelled, or in any case where the field says so", () => {
    const values = ["text", "json"];
    const texts = ["json", "JSON", "xml", ""];
    expect(texts.map((text) => valueOf(field({ type: "enum", values }), text))).toEqual([
      "json",
      "refused",
      "refused",
      "refused",
    ]);
    expect(texts.map((text) => valueOf(field({ type: "enum", values, ignoreCase: true }), text))).toEqual([
      "json",
      "json",
      "refused",
      "refused",
    ]);
  });

  test("texts have a length", () => {
    const spec = field({ minLength: 1, maxLength: 3 });
    expect(["", "a", "abc", "abcd"].map((text) => valueOf(spec, text))).toEqual(["refused", "a", "abc", "refused"]);
  });
});

describe("a refusal", () => {
  test("names the flag, the value and what would do", () => {
    expect(readValue(field({ type: "enum", values: ["a", "b"], error: "INVALID_MODEL" }), "c")).toEqual({
      kind: "problem",
      problem: {
        code: "INVALID_MODEL",
        param: "--limit",
        message: "--limit must be one of a, b, not 'c'",
        value: "c",
        expected: ["a", "b"],
        hint: "Use one of: a, b.",
      },
    });
    expect(readValue(field({ type: "integer", min: 1 }), "x")).toEqual({
      kind: "problem",
      problem: {
        code: "INVALID_FLAG_VALUE",
        param: "--limit",
        message: "--limit must be a whole number from 1, not 'x'",
        value: "x",
        hint: "Give --limit a whole number from 1.",
      },
    });
  });

  test("shows a long value only in part", () => {
    const reading = readValue(field({ type: "integer" }), "x".repeat(1000));
    expect(reading.kind === "problem" && reading.problem.message.length).toBeLessThan(300);
  });
});
