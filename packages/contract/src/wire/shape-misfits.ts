import { isObject } from "../json.ts";
import type { Check } from "./check-shape.ts";
import { checkOf, recordEntries } from "./check-shape.ts";
import type { FieldShape, Shape } from "./shape.ts";
import { shapeWords } from "./shape-problem.ts";

/** A place in a value that has not the shape it should have. */
export interface Misfit {
  readonly path: readonly (string | number)[];
  /** What the shape asks for, in words. Names no value. */
  readonly message: string;
}

const at = (key: string | number, misfits: readonly Misfit[]): Misfit[] =>
  misfits.map(({ path, message }) => ({ path: [key, ...path], message }));

const inEntries = (entries: readonly (readonly [string | number, unknown])[], shape: Shape): Misfit[] =>
  entries.flatMap(([key, entry]) => at(key, misfitsOf(shape, entry)));

const inFields = (fields: Readonly<Record<string, FieldShape>>, value: Readonly<Record<string, unknown>>): Misfit[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.optional === true && value[name] === undefined ? [] : at(name, misfitsOf(field, value[name])),
  );

/** Whether an object has the words that tell a choice of several from the others. */
function isMeant(shape: Shape, value: Readonly<Record<string, unknown>>): boolean {
  const words = shape.is === "object" ? Object.entries(shape.fields).filter(([, { is }]) => is === "word") : [];
  const checks = words.map(([name, field]): [string, Check] => [name, checkOf(field)]);
  return checks.length > 0 && checks.every(([name, check]) => check(value[name]));
}

/** Where the parts of a value do not fit; undefined when the value as a whole is of another kind. */
function inParts(shape: Shape, value: unknown): Misfit[] | undefined {
  if (shape.is === "list" && Array.isArray(value) && checkOf({ ...shape, of: { is: "any" } })(value)) {
    return inEntries([...value.entries()], shape.of);
  }
  if (!isObject(value)) return undefined;
  if (shape.is === "object") return inFields(shape.fields, value);
  if (shape.is === "record") return inEntries(recordEntries(value), shape.of);
  const meant = shape.is === "either" ? shape.of.filter((each) => isMeant(each, value)) : [];
  return meant.length === 1 ? misfitsOf(meant[0] as Shape, value) : undefined;
}

/** Each place where a value does not fit its shape; none when the value fits. */
export function misfitsOf(shape: Shape, value: unknown): Misfit[] {
  if (checkOf(shape)(value)) return [];
  const parts = inParts(shape, value) ?? [];
  return parts.length > 0 ? parts : [{ path: [], message: value === undefined ? "is missing" : shapeWords(shape) }];
}
