import { isObject } from "../json.ts";
import { checkOf, recordEntries } from "./check-shape.ts";
import type { FieldShape, Shape } from "./shape.ts";

const numberWords = ({ whole, min, above }: Extract<Shape, { is: "number" }>): string => {
  const least = above === undefined ? (min === undefined ? "" : ` that is not below ${min}`) : ` above ${above}`;
  return `must be a ${whole === true ? "whole " : ""}number${least}`;
};

/** The kind of value that a shape asks for, in words for the error of a field. */
export function shapeWords(shape: Shape): string {
  if (shape.is === "text") return "must be text";
  if (shape.is === "number") return numberWords(shape);
  return shape.is === "word" ? `must be one of ${shape.of.join(", ")}` : "has a wrong value";
}

/** The problem of the first entry with one. Names no entry, because names and values may be secrets. */
function entryProblem(entries: readonly unknown[], shape: Shape): string | undefined {
  const problem = entries.map((entry) => shapeProblem(shape, entry)).find((found) => found !== undefined);
  return problem === undefined ? undefined : `has a wrong entry: ${problem}`;
}

function listProblem({ of, max = Infinity, ...rest }: Extract<Shape, { is: "list" }>, value: unknown) {
  if (of.is === "text") return checkOf({ ...rest, of })(value) ? undefined : "must be a list of texts";
  if (!Array.isArray(value)) return "must be a list";
  return value.length > max ? `must have at most ${max} entries` : entryProblem(value, of);
}

function objectProblem({ fields, closed }: Extract<Shape, { is: "object" }>, value: unknown): string | undefined {
  if (!isObject(value)) return "must be an object";
  for (const [name, field] of Object.entries(fields)) {
    const problem = fieldProblem(field, value[name]);
    if (problem !== undefined) return `${name} ${problem}`;
  }
  const names = Object.keys(fields);
  const isOpen = closed !== true || Object.keys(value).every((name) => names.includes(name));
  return isOpen ? undefined : `may only have ${names.join(", ")}`;
}

/** The problem of a field's value, in words; undefined when the value fits. */
export const fieldProblem = (field: FieldShape, value: unknown): string | undefined =>
  value === undefined && field.optional === true ? undefined : shapeProblem(field, value);

/** The problem of a value, in words; undefined when the value fits. Names fields, never values or names of entries. */
export function shapeProblem(shape: Shape, value: unknown): string | undefined {
  if (shape.is === "list") return listProblem(shape, value);
  if (shape.is === "object") return objectProblem(shape, value);
  if (shape.is !== "record") return checkOf(shape)(value) ? undefined : shapeWords(shape);
  if (!isObject(value)) return "must be an object";
  const values = recordEntries(value).map(([, entry]) => entry);
  return entryProblem(values, shape.of);
}
