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

const DAY = String.raw`(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const HOUR = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const TIME = new RegExp(String.raw`^${DAY}T${HOUR}:[0-5]\d(?:\.\d+)?Z$`);
const MOMENT = new RegExp(String.raw`^${DAY}T${HOUR}:[0-5]\d(?:\.\d+)?(?:Z|[+-]${HOUR})$`);

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** One check in place of the schema library's long expression, which would stand in dozens of replies. */
const checkTime =
  (pattern: RegExp): Check =>
  (value) => {
    const [, year, month, day] = typeof value === "string" ? (pattern.exec(value) ?? []) : [];
    return year !== undefined && Number(day) <= daysIn(Number(year), Number(month));
  };

const isTime = checkTime(TIME);
const isMoment = checkTime(MOMENT);

function checkNumber({ whole, above = -Infinity, ...limits }: Extract<Shape, { is: "number" }>): Check {
  return (value) =>
    typeof value === "number" &&
    (whole === true ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value > above &&
    isBetween(value, limits);
}

/** Whether a value of a `blank` field counts as absent. */
export const isBlankField = (value: unknown): boolean => value === null || value === "";

/** The check of one field: an absent field fits when the field is optional, loose or preset. */
export function checkOfField(field: FieldShape): Check {
  const check = checkOf(field);
  if (field.loose === true) return () => true;
  const mayBeAbsent = field.optional === true || field.preset !== undefined;
  if (field.blank === true) return (value) => value === undefined || isBlankField(value) || check(value);
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
    case "time":
      return isTime;
    case "moment":
      return isMoment;
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
