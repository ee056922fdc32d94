import type { FieldShape, Shape } from "./shape.ts";

/**
 * A shape written short, since every client of the bus carries the shapes of all replies and of the events it publishes.
 *
 * - `t`, `t1`, `t1-128`, `t-9`: text, with its least and largest length
 * - `n0`, `w0`: a number, a whole number, with its least and largest value
 * - `b`, `0`, `a`, `u`, `z`, `m`: boolean, null, any value, UUID, time in UTC, time with an offset
 * - `=on/off`: one of these words
 * - `[t]1-9`: a list, with its least and largest length; `%n`: a record
 * - `{name:t1,age?w0}`: an object, with a question mark behind the names of optional fields
 * - `t|n`: one of several; a capital letter stands for `|0`: `T1` is `t1|0`
 * - `{id:t}&{n:w}|{b:b}`: one of several objects, which all have the fields of the first too
 * - `#3`: entry 3 of a list of shared shapes
 * - nothing, for a field or in a list: text, as in `{name,tags:[]}`
 * - one of the `SIGNS`: a piece of text that occurs often
 */
export type ShortShape = string;

/** What many short shapes name. */
export interface SharedShapes {
  /** The pieces of text that the `SIGNS` stand for, in their order. */
  readonly pieces: readonly string[];
  /** The shapes that `#0`, `#1`, … name. What no short shape expresses stands there in full. */
  readonly shapes: readonly (ShortShape | Shape)[];
}

/** Characters that no short shape and no name of a request or an event has. */
export const SIGNS = "!$'()+;<>@^~";

/** Puts the pieces in the places of their signs. */
export const writeOut = (text: string, { pieces }: SharedShapes): string =>
  text.replace(/[!$'()+;<>@^~]/g, (sign) => String(pieces[SIGNS.indexOf(sign)]));

const KINDS: Readonly<Record<string, string>> = {
  t: "text",
  n: "number",
  b: "boolean",
  0: "null",
  a: "any",
  u: "uuid",
  z: "time",
  m: "moment",
};

/** Reads a text from its start to its end. `take` returns what the pattern finds at the present place. */
function createTextReader(text: string) {
  let at = 0;
  return (pattern: RegExp): readonly string[] => {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? [];
    at += found[0]?.length ?? 0;
    return found;
  };
}

type Take = ReturnType<typeof createTextReader>;

function readLimits(take: Take): { min?: number; max?: number } {
  const [, min, max] = take(/(\d+(?:\.\d+)?)?(?:-(\d+(?:\.\d+)?))?/y);
  return { ...(min === undefined ? {} : { min: Number(min) }), ...(max === undefined ? {} : { max: Number(max) }) };
}

function readFields(take: Take, shared: SharedShapes): Record<string, FieldShape> {
  const fields: Record<string, FieldShape> = {};
  for (let field = take(NAME); field.length > 0; field = take(NAME)) {
    const shape = readShape(take, shared);
    fields[String(field[1])] = field[2] === "?" ? { ...shape, optional: true } : shape;
  }
  take(/\}/y);
  return fields;
}

const NAME = /,?([\w.-]+)([:?]?)/y;

function readOne(take: Take, shared: SharedShapes): Shape {
  const [sign = "t"] = take(/[=#[%{\w]/y);
  if (sign === "=") return { is: "word", of: String(take(/[\w./-]+/y)[0]).split("/") };
  if (sign === "#") return sharedShape(shared, Number(take(/\d+/y)[0]));
  if (sign === "%") return { is: "record", of: readOne(take, shared) };
  if (sign === "{") return { is: "object", fields: readFields(take, shared) };
  if (sign !== "[") return readKind(sign, take);
  const of = readShape(take, shared);
  take(/\]/y);
  return { is: "list", of, ...readLimits(take) };
}

function readKind(sign: string, take: Take): Shape {
  const letter = sign.toLowerCase();
  const kind = letter === "w" ? { is: "number", whole: true } : { is: KINDS[letter] };
  const shape = { ...kind, ...(sign === "0" ? {} : readLimits(take)) } as Shape;
  return letter === sign ? shape : { is: "either", of: [shape, { is: "null" }] };
}

const withFields = (common: Shape, shape: Shape): Shape =>
  common.is === "object" && shape.is === "object"
    ? { is: "object", fields: { ...shape.fields, ...common.fields } }
    : shape;

function readShape(take: Take, shared: SharedShapes): Shape {
  const first = readOne(take, shared);
  const isCommon = take(/&/y).length > 0;
  const of = [isCommon ? readOne(take, shared) : first];
  while (take(/\|/y).length > 0) of.push(readOne(take, shared));
  if (isCommon) return { is: "either", of: of.map((shape) => withFields(first, shape)) };
  return of.length === 1 ? first : { is: "either", of };
}

function sharedShape(shared: SharedShapes, number: number): Shape {
  const shape = shared.shapes[number] ?? "a";
  return typeof shape === "string" ? lengthen(shape, shared) : shape;
}

/** The shape that is written short. */
export const lengthen = (short: ShortShape, shared: SharedShapes): Shape =>
  readShape(createTextReader(writeOut(short, shared)), shared);
