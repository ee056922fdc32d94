import { expect, test } from "vitest";
import * as z from "zod";
import { defineVerb } from "./define-verb.ts";
import { describeFields, describeVerb, flagName } from "./describe-verb.ts";

test("a flag is spelled in kebab-case", () => {
  expect(["cwd", "dryRun", "ifNoneMatch"].map(flagName)).toEqual(["cwd", "dry-run", "if-none-match"]);
});

test("a field is described by what its schema says", () => {
  const fields = describeFields(
    z.object({
      outputPath: z
        .string()
        .min(1)
        .max(9)
        .optional()
        .describe("Where.")
        .meta({ short: "o", aliases: ["out"] }),
      mode: z.enum(["a", "b"]).default("a").describe("How.").meta({ error: "INVALID_MODEL", ignoreCase: true }),
      limit: z.int().min(1).max(10).default(3).describe("How many."),
      any: z.int().optional().describe("Any."),
      share: z.number().min(0).optional().describe("Part."),
      force: z.boolean().default(false).describe("Really."),
      words: z.array(z.string()).optional().describe("Words."),
      kinds: z
        .array(z.enum(["a", "b"]))
        .optional()
        .describe("Kinds."),
      names: z.array(z.string().min(1).max(9).regex(/^x/)).optional().describe("Names."),
      second: z.string().optional().describe("Second.").meta({ positional: 1 }),
      first: z.string().describe("First.").meta({ positional: 0 }),
      others: z.array(z.string()).optional().describe("Others.").meta({ positional: 2, rest: true }),
    }),
  );
  expect(fields).toEqual([
    { name: "first", type: "string", required: true, description: "First.", positional: 0 },
    { name: "second", type: "string", required: false, description: "Second.", positional: 1 },
    { name: "others", type: "array", required: false, description: "Others.", positional: 2, rest: true },
    {
      name: "outputPath",
      type: "string",
      required: false,
      description: "Where.",
      flag: "output-path",
      short: "o",
      aliases: ["out"],
      minLength: 1,
      maxLength: 9,
    },
    {
      name: "mode",
      type: "enum",
      required: false,
      description: "How.",
      flag: "mode",
      default: "a",
      values: ["a", "b"],
      ignoreCase: true,
      error: "INVALID_MODEL",
    },
    {
      name: "limit",
      type: "integer",
      required: false,
      description: "How many.",
      flag: "limit",
      default: 3,
      min: 1,
      max: 10,
    },
    { name: "any", type: "integer", required: false, description: "Any.", flag: "any" },
    { name: "share", type: "number", required: false, description: "Part.", flag: "share", min: 0 },
    { name: "force", type: "boolean", required: false, description: "Really.", flag: "force", default: false },
    { name: "words", type: "array", required: false, description: "Words.", flag: "words" },
    { name: "kinds", type: "array", required: false, description: "Kinds.", flag: "kinds", values: ["a", "b"] },
    {
      name: "names",
      type: "array",
      required: false,
      description: "Names.",
      flag: "names",
      minLength: 1,
      maxLength: 9,
      pattern: "^x",
    },
  ]);
});

test("a field that no flag can carry is refused", () => {
  expect(() => describeFields(z.object({ deep: z.object({ a: z.string() }) }))).toThrow(
    new TypeError("a flag cannot be of type object"),
  );
});

test("a verb is described without its schemas, and a list can always be cached", () => {
  const verb = defineVerb({
    name: "walk",
    group: "bus",
    summary: "Walk.",
    input: z.object({}),
    output: z.object({ steps: z.array(z.object({ id: z.string() })) }),
    errors: ["INVALID_CURSOR"],
    effect: "read",
    list: "steps",
    examples: [{ description: "Walk", command: "claw walk" }],
  });
  const { fields, ...spec } = describeVerb(verb);
  expect(fields.map((field) => field.name)).toEqual(["limit", "cursor", "ifNoneMatch"]);
  expect(spec).toEqual({
    name: "walk",
    group: "bus",
    summary: "Walk.",
    effect: "read",
    errors: ["INVALID_CURSOR"],
    examples: [{ description: "Walk", command: "claw walk" }],
    list: "steps",
    cacheable: true,
    anywhere: false,
    streams: false,
    unixOnly: false,
    unlimited: false,
    bulky: false,
    plays: false,
    reportsTimeout: false,
  });
});
