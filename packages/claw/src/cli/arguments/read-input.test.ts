import type { FieldSpec } from "claw-contract";
import { globalFlags, VERBS } from "claw-contract/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GLOBAL_FIELDS, VERB_SPECS } from "../../verbs/index.ts";
import { readInput } from "./read-input.ts";
import { indexFlags, tokenise } from "./tokenise.ts";

const FIELDS: readonly FieldSpec[] = [
  { name: "path", type: "string", required: true, description: "", positional: 0, minLength: 1 },
  { name: "other", type: "string", required: false, description: "", positional: 1 },
  { name: "limit", type: "integer", required: false, description: "", flag: "limit", min: 1, default: 7 },
  { name: "mode", type: "enum", required: true, description: "", flag: "mode", values: ["a", "b"] },
  { name: "words", type: "array", required: false, description: "", flag: "words" },
  { name: "yes", type: "boolean", required: false, description: "", flag: "yes", short: "y", default: false },
];

const read = (...argv: string[]) => readInput(tokenise(argv, indexFlags(FIELDS)), FIELDS);

describe("an input", () => {
  test("has the given values, and defaults for the rest", () => {
    expect(read("p", "--mode", "b", "--words", "x,y")).toEqual({
      values: { path: "p", mode: "b", words: ["x", "y"], limit: 7, yes: false },
      problems: [],
      warnings: [],
    });
  });

  test("takes the last of a repeated flag and says so when it changes something", () => {
    const { values, warnings } = read("p", "--mode=a", "--mode=b", "-y", "-y");
    expect([values["mode"], values["yes"], warnings]).toEqual(["b", true, ["DUPLICATE_FLAG: the last --mode holds"]]);
  });

  test("collects the words of a repeated list", () => {
    expect(read("p", "--mode=a", "--words=x", "--words=y,z").values["words"]).toEqual(["x", "y", "z"]);
  });

  test("takes all words that are left for a list in the last place", () => {
    const fields: FieldSpec[] = [
      { name: "names", type: "array", required: false, description: "", positional: 0 },
      { name: "for", type: "string", required: false, description: "", flag: "for" },
    ];
    const of = (...argv: string[]) => readInput(tokenise(argv, indexFlags(fields)), fields);
    expect(of("a", "b", "--for", "x", "c")).toMatchObject({
      values: { names: ["a", "b", "c"], for: "x" },
      problems: [],
    });
    expect(of().values).toEqual({});
  });

  test("names everything that is wrong with it at once", () => {
    const { problems } = read("", "b", "c", "--limit", "0", "--mode", "--lmit=3", "-x");
    expect(problems.map(({ code, param }) => [code, param])).toEqual([
      ["INVALID_FLAG_VALUE", "--limit"],
      ["MISSING_FLAG_VALUE", "--mode"],
      ["UNKNOWN_OPTION", "--lmit"],
      ["UNKNOWN_OPTION", "-x"],
      ["INVALID_FLAG_VALUE", "PATH"],
      ["UNEXPECTED_ARGUMENTS", "c"],
    ]);
    expect(problems[1]?.hint).toBe("Use one of: a, b.");
    expect(problems[2]?.hint).toBe("Did you mean --limit?");
  });

  test("says what is missing", () => {
    expect(read().problems).toEqual([
      { code: "MISSING_ARGUMENT", param: "PATH", message: "PATH is missing" },
      { code: "MISSING_ARGUMENT", param: "--mode", message: "--mode is missing" },
    ]);
  });
});

/** The value a schema is asked about when this text stands on the command line; the text itself if it is none. */
function meaningOf(field: FieldSpec, text: string): unknown {
  if (field.type === "array") return field.whole || field.rest ? [text] : text.split(",");
  if (field.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (field.type === "integer" || field.type === "number") {
    return /^-?\d/.test(text) && !Number.isNaN(Number(text)) && !/[xob]/i.test(text) ? Number(text) : text;
  }
  return field.ignoreCase ? text.toLowerCase() : text;
}

/** Good texts most of the time, so that a bad one is judged by itself. */
const mostly = (good: fc.Arbitrary<string>, ...bad: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 10 * bad.length, arbitrary: good }, ...bad);

/** Texts that lie at and around the borders of what a field takes. */
function textFor(field: FieldSpec): fc.Arbitrary<string> {
  const plain = fc.string({ unit: "grapheme", maxLength: 8 });
  switch (field.type) {
    case "boolean":
      return mostly(fc.constantFrom("true", "false"), fc.constantFrom("True", "1", ""), plain);
    case "enum":
      return mostly(fc.constantFrom(...(field.values ?? [])), fc.constantFrom("JSON", "Flat", "Bash"), plain);
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: -5, max: 20_000 }).map(String),
        fc.constantFrom(field.min ?? 0, (field.min ?? 0) - 1, field.max ?? 0, (field.max ?? 0) + 1).map(String),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc.maxSafeInteger().map(String),
        plain,
      );
    case "string":
    case "array": {
      const { maxLength } = field;
      const long = maxLength === undefined ? [] : [fc.constantFrom(maxLength, maxLength + 1).map((n) => "x".repeat(n))];
      const good = fc.constantFrom(...(field.values ?? [String(field.default ?? "a")]));
      return fc.oneof(good, plain, fc.constantFrom("", "a", "latest"), ...long);
    }
  }
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown };
}

const subjects: readonly (readonly [string, readonly FieldSpec[], Schema])[] = [
  ...VERB_SPECS.map((spec) => [spec.name, spec.fields, VERBS[spec.name as keyof typeof VERBS].input] as const),
  ["every call", GLOBAL_FIELDS, globalFlags],
];

test.each(subjects)("%s takes exactly what its schema takes, and makes the same of it", (_name, fields, schema) => {
  const given = fc.record(Object.fromEntries(fields.map((field) => [field.name, textFor(field)])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(given, (texts) => {
      const slots = fields.filter((field) => field.positional !== undefined);
      const gap = slots.findIndex((field) => !(field.name in texts));
      const used = fields.filter(
        (field) => field.name in texts && (field.positional === undefined || gap === -1 || field.positional < gap),
      );
      const argv = [
        ...used.flatMap((field) => (field.flag === undefined ? [] : [`--${field.flag}=${texts[field.name]}`])),
        "--",
        ...used.flatMap((field) => (field.positional === undefined ? [] : [texts[field.name] as string])),
      ];
      const reading = readInput(tokenise(argv, indexFlags(fields)), fields);
      const meant = Object.fromEntries(
        used.map((field) => [field.name, meaningOf(field, texts[field.name] as string)]),
      );
      const parsed = schema.safeParse(meant);
      expect({ argv, accepted: reading.problems.length === 0 }).toEqual({ argv, accepted: parsed.success });
      expect(parsed.success ? reading.values : {}).toEqual(parsed.data ?? {});
    }),
    { numRuns: 300 },
  );
});
