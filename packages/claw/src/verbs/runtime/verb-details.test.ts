import { expect, test } from "vitest";
import { VERBS, describeVerb } from "claw-contract/schemas";
import { withDetails } from "./verb-details.ts";
import { FLAG_SPELLINGS, GLOBAL_FIELDS, VERB_SPECS } from "./verb-table.generated.ts";

const { fields, errors, examples, ...head } = describeVerb(VERBS.ps);

test("the details of a verb are parsed when they are first read, and once", () => {
  let count = 0;
  const textOf = (): string => {
    count += 1;
    return JSON.stringify({ fields, errors, examples });
  };
  const [spec, other] = withDetails([head, { ...head, name: "other" }], { ps: textOf, other: textOf });
  expect([spec?.name, other?.name, count]).toEqual(["ps", "other", 0]);
  expect(spec).toEqual({ ...head, fields, errors, examples });
  expect(spec?.fields).toBe(spec?.fields);
  expect(count).toBe(1);
});

test("the table holds every verb as the contract describes it", () => {
  expect(VERB_SPECS.map((spec) => ({ ...spec }))).toEqual(Object.values(VERBS).map((verb) => describeVerb(verb)));
});

test("each flag of each verb is among the spellings, with the same kind of value", () => {
  const known = new Map(FLAG_SPELLINGS.map(({ flag, type }) => [flag, type === "boolean"]));
  const all = [...VERB_SPECS.flatMap((spec) => spec.fields), ...GLOBAL_FIELDS].filter(({ flag }) => flag !== undefined);
  expect(all.filter(({ flag, type }) => known.get(flag) !== (type === "boolean"))).toEqual([]);
  const shorts = new Set(FLAG_SPELLINGS.flatMap(({ short, aliases = [] }) => [short, ...aliases]));
  expect(all.flatMap(({ short, aliases = [] }) => [short, ...aliases]).filter((each) => !shorts.has(each))).toEqual([]);
});
