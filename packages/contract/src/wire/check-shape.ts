import type { FieldShape, Shape } from "./shape.ts";
import { isObject } from "../json.ts";
import type { ShortShape } from "./short-shape.ts";
import { lengthen, writeOut } from "./short-shape.ts";
import { REPLIES, SHARED_SHAPES } from "./short-shapes.generated.ts";
import type { ReceivedReply, RequestName } from "./wire-types.ts";

/** Whether a value has a shape. Never throws. */
export type Check = (value: unknown) => boolean;

/** The entries of a record. The schema library leaves this one name out. */
export const recordEntries = (record: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(record).filter(([name]) => name !== "__proto__");

function checkText({ pattern, min = 0, max = Infinity }: Extract<Shape, { is: "text" }>): Check {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, "u");
  return (value) =>
    typeof value === "string" &&
    value.length >= min &&
    value.length <= max &&
    (expression === undefined || expression.test(value));
}

const HOUR = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const START = String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T${HOUR}:[0-5]\d(?:\.\d+)?`;
const TIME = new RegExp(`${START}Z$`);
const MOMENT = new RegExp(`${START}(?:Z|[+-]${HOUR})$`);

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const digitAt = (time: string, at: number): number => time.charCodeAt(at) - 48;

/** Whether the month of a time has its day. Every month has 28 days. */
function hasDay(time: string): boolean {
  const day = digitAt(time, 8) * 10 + digitAt(time, 9);
  return day <= 28 || day <= daysIn(Number(time.slice(0, 4)), Number(time.slice(5, 7)));
}

/** Whether a value is a time in UTC. A short check in place of the long expression of the schema library. */
export const isTime = (value: unknown): boolean => typeof value === "string" && TIME.test(value) && hasDay(value);

/** Whether a value is a time in UTC or with an offset. */
export const isMoment = (value: unknown): boolean => typeof value === "string" && MOMENT.test(value) && hasDay(value);

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const SPECIAL_UUID = /^(?:0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12})$/;

export const isUuid = (value: unknown): boolean =>
  typeof value === "string" && (UUID.test(value) || SPECIAL_UUID.test(value));

function checkNumber(shape: Extract<Shape, { is: "number" }>): Check {
  const { whole, above = -Infinity, min = -Infinity, max = Infinity } = shape;
  const isKind = whole === true ? Number.isSafeInteger : Number.isFinite;
  return (value) => typeof value === "number" && isKind(value) && value > above && value >= min && value <= max;
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

function checkFields({ fields, closed }: Extract<Shape, { is: "object" }>): Check {
  const names = Object.keys(fields);
  const checks = Object.values(fields).map(checkOfField);
  const fits: Check = (value) => isObject(value) && names.every((name, index) => checks[index]?.(value[name]) === true);
  if (closed !== true) return fits;
  return (value) => fits(value) && Object.keys(value as object).every((name) => Object.hasOwn(fields, name));
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
    case "uuid":
      return isUuid;
    case "text":
      return checkText(shape);
    case "number":
      return checkNumber(shape);
    case "word": {
      const words = new Set<unknown>(shape.of);
      return (value) => words.has(value);
    }
    case "list": {
      const { of, min = 0, max = Infinity } = shape;
      const item = checkOf(of);
      return (value) => Array.isArray(value) && value.length >= min && value.length <= max && value.every(item);
    }
    case "record": {
      const [each, name] = [checkOf(shape.of), checkOf(shape.names ?? { is: "any" })];
      return (value) => isObject(value) && recordEntries(value).every((entry) => name(entry[0]) && each(entry[1]));
    }
    case "object":
      return checkFields(shape);
    case "either": {
      const choices = shape.of.map(checkOf);
      return (value) => choices.some((check) => check(value));
    }
  }
}

type FieldCheck = readonly [name: string, check: Check];

const replyChecks = new Map<RequestName, readonly FieldCheck[]>();

/** The shape of a reply, written short. */
export function replyShape(name: RequestName): ShortShape {
  const line = writeOut(REPLIES, SHARED_SHAPES)
    .split("\n")
    .find((each) => each.startsWith(`${name} `));
  return line?.slice(name.length + 1) ?? "{}";
}

/** The checks of a reply's fields. A program asks few of all requests, so a reply's shape is read when it first comes. */
function checksOf(name: RequestName): readonly FieldCheck[] {
  const known = replyChecks.get(name);
  if (known !== undefined) return known;
  const shape = lengthen(replyShape(name), SHARED_SHAPES);
  const fields = shape.is === "object" ? shape.fields : {};
  const checks = Object.entries(fields).map(([field, each]): FieldCheck => [field, checkOfField(each)]);
  replyChecks.set(name, checks);
  return checks;
}

/** The first field of a reply that is not what the contract promises; undefined when all are. */
export const misfitIn = (name: RequestName, reply: object): string | undefined =>
  checksOf(name).find(([field, check]) => !check((reply as Readonly<Record<string, unknown>>)[field]))?.[0];

/** Whether a reply has the fields that the contract promises. */
export const isReplyTo = <Name extends RequestName>(name: Name, reply: object): reply is ReceivedReply<Name> =>
  misfitIn(name, reply) === undefined;
