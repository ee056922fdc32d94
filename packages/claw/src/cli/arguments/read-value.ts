import type { FieldSpec } from "claw-contract";
import type { Problem } from "./problem.ts";
import { shortenValue } from "./problem.ts";

export type Value = string | number | boolean | readonly string[];

export type ValueReading =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "problem"; readonly problem: Problem };

export const paramName = (field: FieldSpec): string =>
  field.flag === undefined ? field.name.replaceAll(/[A-Z]/g, (c) => `_${c}`).toUpperCase() : `--${field.flag}`;

function badValue(field: FieldSpec, text: string, expectation: string): ValueReading {
  const param = paramName(field);
  return {
    kind: "problem",
    problem: {
      code: field.error ?? "INVALID_FLAG_VALUE",
      param,
      message: `${param} must be ${expectation}, not '${shortenValue(text)}'`,
      value: text,
      ...(field.values === undefined ? {} : { expected: field.values }),
      hint: field.values === undefined ? `Give ${param} ${expectation}.` : `Use one of: ${field.values.join(", ")}.`,
    },
  };
}

const accept = (value: Value): ValueReading => ({ kind: "value", value });

function readNumber(field: FieldSpec, text: string): ValueReading {
  const whole = field.type === "integer";
  const { min, max } = field;
  const kind = whole ? "a whole number" : "a number";
  const range = min === undefined ? "" : max === undefined ? ` from ${min}` : ` from ${min} to ${max}`;
  const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const fits =
    (whole ? Number.isSafeInteger(number) : Number.isFinite(number)) &&
    number >= (min ?? -Infinity) &&
    number <= (max ?? Infinity);
  return fits ? accept(number) : badValue(field, text, kind + range);
}

function readTextValue(field: FieldSpec, text: string): ValueReading {
  if (text.length < (field.minLength ?? 0)) return badValue(field, text, "a value that is not empty");
  if (text.length > (field.maxLength ?? Infinity)) {
    return badValue(field, text, `at most ${field.maxLength} characters long`);
  }
  const { pattern } = field;
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return badValue(field, text, `of the form ${pattern}`);
  return accept(text);
}

function readEnum(field: FieldSpec, text: string): ValueReading {
  const values = field.values ?? [];
  const found = field.ignoreCase
    ? values.find((value) => value === text.toLowerCase())
    : values.find((v) => v === text);
  return found === undefined ? badValue(field, text, `one of ${values.join(", ")}`) : accept(found);
}

function readList(field: FieldSpec, text: string): ValueReading {
  const items = field.whole ? [text] : text.split(",");
  const readings = items.map((item) =>
    field.values === undefined ? readTextValue(field, item) : readEnum(field, item),
  );
  return readings.find(({ kind }) => kind === "problem") ?? accept(items);
}

/** Reads a value by the rules of its field. The result equals the output of the field's schema. */
export function readValue(field: FieldSpec, text: string): ValueReading {
  switch (field.type) {
    case "boolean":
      return text === "true" || text === "false" ? accept(text === "true") : badValue(field, text, "true or false");
    case "integer":
    case "number":
      return readNumber(field, text);
    case "enum":
      return readEnum(field, text);
    case "array":
      return readList(field, text);
    case "string":
      return readTextValue(field, text);
  }
}
