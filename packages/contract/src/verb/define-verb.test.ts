import { expect, test } from "vitest";
import * as z from "zod";
import { LIMITS } from "../limits/limits.ts";
import { defineVerb } from "./define-verb.ts";

const common = {
  name: "walk",
  group: "bus",
  summary: "Walk.",
  input: z.object({ where: z.string() }),
  output: z.object({ steps: z.int() }),
  errors: [],
  examples: [],
} as const;

const fieldsOf = (verb: { input: z.ZodObject }): string[] => Object.keys(verb.input.shape);

test("a verb that reads takes its own fields only", () => {
  expect(fieldsOf(defineVerb({ ...common, effect: "read" }))).toEqual(["where"]);
});

test("a list takes a limit, a cursor and an etag", () => {
  const verb = defineVerb({ ...common, effect: "read", list: "steps" });
  expect(fieldsOf(verb)).toEqual(["where", "limit", "cursor", "ifNoneMatch"]);
  expect(verb.input.parse({ where: "here" })).toEqual({ where: "here", limit: LIMITS.listDefault });
  expect([0, 1, LIMITS.listMax, LIMITS.listMax + 1, 1.5].map((limit) => accepts(verb.input, { limit }))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test("an answer that can be cached takes an etag", () => {
  expect(fieldsOf(defineVerb({ ...common, effect: "read", cacheable: true }))).toEqual(["where", "ifNoneMatch"]);
});

test.each(["write", "delete"] as const)("a verb that does %s takes a dry run and an idempotency key", (effect) => {
  const verb = defineVerb({ ...common, effect });
  expect(fieldsOf(verb)).toEqual(["where", "dryRun", "idempotencyKey"]);
  expect(verb.input.parse({ where: "here" })).toEqual({ where: "here", dryRun: false });
  expect(verb.input.shape.idempotencyKey.description).toContain("A failed call is not remembered.");
  const lengths = [0, 1, LIMITS.idempotencyKeyLength, LIMITS.idempotencyKeyLength + 1];
  expect(lengths.map((length) => accepts(verb.input, { idempotencyKey: "k".repeat(length) }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("everything else of the definition stays as it is", () => {
  const verb = defineVerb({ ...common, effect: "read" });
  expect({ ...verb, input: undefined }).toEqual({ ...common, effect: "read", input: undefined });
});

function accepts(input: z.ZodObject, fields: object): boolean {
  return input.safeParse({ where: "here", ...fields }).success;
}
