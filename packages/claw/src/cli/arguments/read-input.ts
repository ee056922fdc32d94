import type { FieldSpec } from "claw-contract";
import { LIMITS, nearest } from "claw-contract";
import type { Problem } from "./problem.ts";
import { shortenValue } from "./problem.ts";
import type { Value } from "./read-value.ts";
import { paramName, readValue } from "./read-value.ts";
import type { Token } from "./tokenise.ts";

export interface InputReading {
  readonly values: Readonly<Record<string, Value>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

interface Collector {
  readonly values: Record<string, Value>;
  readonly problems: Problem[];
  readonly warnings: string[];
}

function unknownFlag(raw: string, fields: readonly FieldSpec[]): Problem {
  const flags = fields.flatMap((field) => (field.flag === undefined ? [] : [`--${field.flag}`]));
  const close = nearest(raw, flags, { limit: LIMITS.suggestions });
  const hint = close.length === 0 ? {} : { hint: `Did you mean ${close.join(" or ")}?` };
  return { code: "UNKNOWN_OPTION", param: shortenValue(raw), message: `unknown flag ${shortenValue(raw)}`, ...hint };
}

function readFlag(token: Token & { kind: "flag" }, field: FieldSpec, into: Collector): void {
  const param = paramName(field);
  if (token.value === undefined) {
    const expected = field.values === undefined ? {} : { hint: `Use one of: ${field.values.join(", ")}.` };
    into.problems.push({ code: "MISSING_FLAG_VALUE", param, message: `${param} needs a value`, ...expected });
    return;
  }
  const reading = readValue(field, token.value);
  if (reading.kind === "problem") {
    into.problems.push(reading.problem);
    return;
  }
  const earlier = into.values[field.name];
  if (Array.isArray(earlier) && Array.isArray(reading.value)) {
    into.values[field.name] = [...earlier, ...reading.value];
    return;
  }
  if (earlier !== undefined && earlier !== reading.value) into.warnings.push(`DUPLICATE_FLAG: the last ${param} holds`);
  into.values[field.name] = reading.value;
}

function readPositionals(values: readonly string[], fields: readonly FieldSpec[], into: Collector): void {
  const slots = fields.filter((field) => field.positional !== undefined);
  const last = slots.at(-1);
  for (const [index, text] of values.entries()) {
    // A list in the last place takes all that is left.
    const field = slots[index] ?? (last?.type === "array" ? last : undefined);
    if (field?.rest) {
      into.values[field.name] = values.slice(index);
      return;
    }
    if (field === undefined) {
      const value = shortenValue(text);
      into.problems.push({
        code: "UNEXPECTED_ARGUMENTS",
        param: value,
        message: `unexpected argument '${value}'`,
        value: text,
      });
      continue;
    }
    const reading = readValue(field, text);
    if (reading.kind === "problem") into.problems.push(reading.problem);
    else into.values[field.name] = withEarlier(into.values[field.name], reading.value);
  }
}

/** What was given for a list before, and what is given now. */
const withEarlier = (earlier: Value | undefined, value: Value): Value =>
  Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value;

/** Fields that were left out: their default, or a problem when there is none and they are needed. */
function fillIn(fields: readonly FieldSpec[], into: Collector): void {
  for (const field of fields) {
    if (Object.hasOwn(into.values, field.name)) continue;
    if (field.default !== undefined) into.values[field.name] = field.default;
    const param = paramName(field);
    const refused = into.problems.some((problem) => problem.param === param);
    if (field.required && !refused) {
      into.problems.push({ code: "MISSING_ARGUMENT", param, message: `${param} is missing` });
    }
  }
}

/** Reads the values of a command line for the given fields and collects everything that is wrong with it. */
export function readInput(tokens: readonly Token[], fields: readonly FieldSpec[]): InputReading {
  const into: Collector = { values: {}, problems: [], warnings: [] };
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    else if (token.kind === "unknown") into.problems.push(unknownFlag(token.raw, fields));
    else {
      const field = fields.find((candidate) => candidate.flag === token.name);
      if (field === undefined) into.problems.push(unknownFlag(token.raw, fields));
      else readFlag(token, field, into);
    }
  }
  readPositionals(positionals, fields, into);
  fillIn(fields, into);
  return into;
}
