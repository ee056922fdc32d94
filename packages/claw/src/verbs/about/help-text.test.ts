import type { FieldSpec } from "claw-contract";
import { expect, test } from "vitest";
import { defaultsOf, describeField, flagLabel, isFlag, usageLine, valueWord } from "./help-text.ts";

const field = (more: Partial<FieldSpec>): FieldSpec => ({
  name: "outputPath",
  type: "string",
  required: false,
  description: "",
  ...more,
});

const path = field({ positional: 0, required: true });
const format = field({
  name: "format",
  flag: "format",
  type: "enum",
  values: ["a", "b"],
  positional: undefined as never,
});
const limit = field({ name: "limit", flag: "limit", type: "integer", default: 7 });
const quiet = field({ name: "quiet", flag: "quiet", short: "q", type: "boolean", default: false });

test("a value is called by what can stand there", () => {
  expect([path, format, limit].map(valueWord)).toEqual(["OUTPUT_PATH", "a|b", "N"]);
});

test("values that need more than a line are named in the description", () => {
  const values = Array.from({ length: 20 }, (_, index) => `value${index}`);
  const many = field({ description: "What.", values });
  expect([valueWord(many), describeField(many)]).toEqual(["OUTPUT_PATH", `What. One of ${values.join(", ")}.`]);
  expect(describeField(field({ description: "What.", values: ["a", "b"] }))).toBe("What.");
});

test("a flag is shown as it is written", () => {
  expect([format, limit, quiet].map(flagLabel)).toEqual(["--format a|b", "--limit N", "-q, --quiet"]);
});

test("a usage line has the words a verb takes, the optional ones in brackets", () => {
  const common = {
    name: "walk",
    group: "bus",
    summary: "",
    effect: "read",
    errors: [],
    examples: [],
    cacheable: false,
    anywhere: false,
    streams: false,
    unlimited: false,
    bulky: false,
    plays: false,
    unixOnly: false,
    reportsTimeout: false,
  } as const;
  const second = field({ name: "to", positional: 1 });
  expect(usageLine({ ...common, fields: [path, second, limit] })).toBe("claw walk OUTPUT_PATH [TO] [flags]");
  expect(usageLine({ ...common, fields: [] })).toBe("claw walk [flags]");
  const needed = { ...format, required: true };
  expect(usageLine({ ...common, fields: [path, needed] })).toBe("claw walk OUTPUT_PATH --format a|b [flags]");
});

test("defaults are listed by flag", () => {
  expect(defaultsOf([path, format, limit, quiet])).toEqual({ limit: 7, quiet: false });
});

test("what has a place is no flag", () => {
  expect([path, limit].map(isFlag)).toEqual([false, true]);
});
