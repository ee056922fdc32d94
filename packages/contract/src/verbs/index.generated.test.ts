import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { RESERVED_NAMES } from "../envelopes/index.ts";
import { RENAMES } from "../verb/renames.ts";
import type { Verb } from "../verb/define-verb.ts";
import { describeFields, describeVerb } from "../verb/describe-verb.ts";
import { globalFlags } from "../verb/global-flags.ts";
import type { FieldSpec } from "../verb/verb-spec.ts";
import { FAMILIES, verbId, wordsOf } from "../verb/verb-words.ts";
import { VERBS } from "./index.generated.ts";

const verbs = Object.values(VERBS) as unknown as readonly Verb[];
const lists = verbs.filter((verb) => verb.list !== undefined);

describe.each(verbs)("$name", (verb) => {
  test("is registered under its own name", () => {
    expect(VERBS).toHaveProperty([verb.name]);
    expect(verb.name).toMatch(/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/);
  });

  test("answers under no name that the envelopes own", () => {
    expect(Object.keys(verb.output.shape).filter((name) => RESERVED_NAMES.some((taken) => taken === name))).toEqual([]);
  });

  test("has a summary and describes every field in a sentence", () => {
    const sentences = [verb.summary, ...describeFields(verb.input).map((field) => field.description)];
    expect(sentences.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  });

  test("has examples that call it", () => {
    const name = verb.name === "prompt" ? "(prompt|-p)" : verb.name;
    const call = new RegExp(String.raw`^(eval "\$\(|echo [^|]+\| )?claw ${name}(\s|$)`);
    expect(verb.examples.length).toBeGreaterThan(0);
    expect(verb.examples.map((example) => example.command).filter((command) => !call.test(command))).toEqual([]);
  });

  test("takes its positionals in order, the needed ones first", () => {
    const positionals = describeFields(verb.input).filter((field) => field.positional !== undefined);
    expect(positionals.map((field) => field.positional)).toEqual(positionals.map((_field, index) => index));
    const needs = positionals.map((field) => field.required);
    expect(needs).toEqual(needs.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("reports an effect exactly when it changes something", () => {
    expect(Object.hasOwn(verb.output.shape, "effect")).toBe(verb.effect !== "read");
  });
});

test("a list counts its page and every item has an id to go on from", () => {
  expect(lists.length).toBeGreaterThan(0);
  for (const { list = "", output } of lists) {
    const items = output.shape[list] as z.ZodArray<z.ZodObject> | undefined;
    expect(Object.keys(output.shape)).toContain(`${list}_count`);
    expect(items?.element.shape).toHaveProperty("id");
  }
});

describe("two-word verbs", () => {
  const words = verbs.map((verb) => ({ verb, ...wordsOf(verb.name) }));
  const families = new Set(words.filter(({ action }) => action !== undefined).map(({ command }) => command));

  test("belong to a family that is described in a sentence, and every family has some", () => {
    expect(Object.keys(FAMILIES).toSorted()).toEqual([...families].toSorted());
    expect(Object.values(FAMILIES).filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  });

  test("share their first word with no other verb, and their id with none", () => {
    expect(words.filter(({ command, action }) => action === undefined && families.has(command))).toEqual([]);
    const ids = verbs.map(({ name }) => verbId(name));
    expect(ids).toEqual([...new Set(ids)]);
  });

  test("stand alone at most once in a family, and take no positionals then", () => {
    const alone = words.filter(({ verb }) => verb.alone);
    expect(alone.map(({ command }) => command)).toEqual([...new Set(alone.map(({ command }) => command))]);
    const taking = alone.filter(({ verb }) =>
      describeFields(verb.input).some((field) => field.positional !== undefined),
    );
    expect([taking, words.filter(({ verb, action }) => verb.alone && action === undefined)]).toEqual([[], []]);
  });
});

describe("flags", () => {
  interface Spelling {
    readonly spelling: string;
    readonly meaning: string;
    readonly field: FieldSpec;
  }

  /** A spelling may be used by several verbs when it names the same input and takes the same kind of value. */
  const spellingsOf = (fields: readonly FieldSpec[]): Spelling[] =>
    fields.flatMap((field) => {
      const long = field.flag === undefined ? [] : [field.flag, ...(field.aliases ?? [])].map((name) => `--${name}`);
      const short = field.short === undefined ? [] : [`-${field.short}`];
      const meaning = `${field.name} ${field.type === "boolean" ? "switch" : "value"}`;
      return [...long, ...short].map((spelling) => ({ spelling, meaning, field }));
    });

  const globals = spellingsOf(describeFields(globalFlags));
  const own = verbs.flatMap((verb) => spellingsOf(describeVerb(verb).fields));

  test("a spelling means one thing and takes a value everywhere or nowhere", () => {
    const meanings = new Map<string, string>();
    const torn = [...globals, ...own].filter(({ spelling, meaning }) => {
      const first = meanings.get(spelling) ?? meaning;
      meanings.set(spelling, first);
      return first !== meaning;
    });
    expect(torn).toEqual([]);
  });

  test("no verb redefines a flag that every call takes", () => {
    const taken = new Set(globals.map((entry) => entry.spelling));
    expect(own.filter((entry) => taken.has(entry.spelling))).toEqual([]);
  });

  test("within one call a spelling occurs once", () => {
    for (const verb of verbs) {
      const spellings = [...globals, ...spellingsOf(describeVerb(verb).fields)].map((entry) => entry.spelling);
      expect(spellings).toEqual([...new Set(spellings)]);
    }
  });

  test("short names are single letters", () => {
    const shorts = [...globals, ...own].flatMap(({ field }) => field.short ?? []);
    expect(shorts.filter((short) => !/^[A-Za-z]$/.test(short))).toEqual([]);
  });
});

describe("renames", () => {
  test("lead to a verb that exists, and no verb hides behind an old spelling", () => {
    expect(RENAMES.filter(({ to }) => !Object.hasOwn(VERBS, to))).toEqual([]);
    expect(RENAMES.filter(({ from }) => Object.hasOwn(VERBS, from[0] ?? ""))).toEqual([]);
  });
});
