import type { FieldShape, Shape } from "./shape.ts";

/** Whether a value has a shape. Never throws. */
export type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isBetween = (amount: number, { min = -Infinity, max = Infinity }: { min?: number; max?: number }): boolean =>
  amount >= min && amount <= max;

function checkText({ pattern, ...limits }: Extract<Shape, { is: "text" }>): Check {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, "u");
  return (value) => typeof value === "string" && isBetween(value.length, limits) && (expression?.test(value) ?? true);
}

function checkNumber({ whole, above = -Infinity, ...limits }: Extract<Shape, { is: "number" }>): Check {
  return (value) =>
    typeof value === "number" &&
    (whole === true ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value > above &&
    isBetween(value, limits);
}

/** Whether a value of a `blank` field counts as absent. */
export const isBlank = (value: unknown): boolean => value === null || value === "";

/** The check of one field: an absent field fits when the field is optional, loose or preset. */
export function checkOfField(field: FieldShape): Check {
  const check = checkOf(field);
  if (field.loose === true) return () => true;
  const mayBeAbsent = field.optional === true || field.preset !== undefined;
  if (field.blank === true) return (value) => value === undefined || isBlank(value) || check(value);
  return (value) => (value === undefined ? mayBeAbsent : check(value));
}

function checkFields(fields: Readonly<Record<string, FieldShape>>): Check {
  const checks = Object.entries(fields).map(([name, field]) => [name, checkOfField(field)] as const);
  return (value) => isObject(value) && checks.every(([name, check]) => check(value[name]));
}

/** Makes the check of a shape. The caller keeps the check, because making it costs more than using it. */
export function checkOf(shape: Shape): Check {
  switch (shape.is) {
    case "any":
      return (value) => value !== undefined;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "text":
      return checkText(shape);
    case "number":
      return checkNumber(shape);
    case "word": {
      const words = new Set<unknown>(shape.of);
      return (value) => words.has(value);
    }
    case "list": {
      const item = checkOf(shape.of);
      return (value) => Array.isArray(value) && isBetween(value.length, shape) && value.every(item);
    }
    case "record": {
      const [each, name] = [checkOf(shape.of), checkOf(shape.names ?? { is: "any" })];
      return (value) => isObject(value) && Object.entries(value).every((entry) => name(entry[0]) && each(entry[1]));
    }
    case "object":
      return checkFields(shape.fields);
    case "either": {
      const choices = shape.of.map(checkOf);
      return (value) => choices.some((check) => check(value));
    }
  }
}
