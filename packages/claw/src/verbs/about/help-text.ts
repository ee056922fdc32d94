import type { FieldSpec, VerbSpec } from "claw-contract";

/** Values that take more room than this are told of in the description, which is broken into lines. */
const VALUES_COLUMNS = 60;

const isLong = ({ values = [] }: FieldSpec): boolean => values.join("|").length > VALUES_COLUMNS;

/** The word for a field's value: what the user writes in its place. */
export function valueWord(field: FieldSpec): string {
  if (field.values !== undefined && !isLong(field)) return field.values.join("|");
  if (field.type === "integer" || field.type === "number") return "N";
  return field.name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** What a field is for. */
export const describeField = (field: FieldSpec): string =>
  isLong(field) ? `${field.description} One of ${field.values?.join(", ")}.` : field.description;

/** A flag as it is written: `-o, --output OUTPUT`. */
export function flagLabel(field: FieldSpec): string {
  const short = field.short === undefined ? "" : `-${field.short}, `;
  const value = field.type === "boolean" ? "" : ` ${valueWord(field)}`;
  return `${short}--${field.flag ?? field.name}${value}`;
}

/** How a verb is called, in one line. */
export function usageLine(spec: VerbSpec): string {
  const positionals = spec.fields.filter((field) => field.positional !== undefined && !field.rest);
  const words = positionals.map((field) => (field.required ? valueWord(field) : `[${valueWord(field)}]`));
  const flags = spec.fields.filter((field) => field.required && isFlag(field)).map(flagLabel);
  const rest = spec.fields.filter((field) => field.rest).map((field) => `[${valueWord(field)} ...]`);
  return ["claw", spec.name, ...words, ...flags, "[flags]", ...rest].join(" ");
}

export const isFlag = (field: FieldSpec): boolean => field.positional === undefined;

/** Values that hold when a flag is left out, by flag. */
export function defaultsOf(fields: readonly FieldSpec[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.flag ?? field.name, field.default]])),
  );
}
