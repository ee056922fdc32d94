import type { Check } from "./check-shape.ts";
import { checkOfField } from "./check-shape.ts";
import { REPLY_SHAPES, SHARED_SHAPES } from "./reply-shapes.generated.ts";
import type { ReceivedReply, RequestName } from "./wire-types.ts";
import type { FieldShape, Shape } from "./shape.ts";

/**
 * A shape written short, since every program that speaks to the bus carries the shapes of all replies.
 *
 * - `text`, `number:0`, `whole:1:9`: a kind with its least and largest value or length
 * - `=a,b`: one of these words
 * - `#3`: the shape with this number in a list that all shapes share
 * - `text|null`: one of several
 * - `["text"]`: a list; two numbers behind the entry are its least and largest length
 * - `{"name":"text","age?":"number"}`: an object, a question mark behind the names of optional fields
 * - `{"is":…}`: a shape written in full
 */
export type ShortShape = string | readonly unknown[] | { readonly [field: string]: unknown };

/** The list of shared shapes: `#3` in a reply's shape is entry 3 of this list. */
export type SharedShapes = readonly ShortShape[];

const limit = (name: "min" | "max", value: unknown): object =>
  value === undefined || value === "" || value === null ? {} : { [name]: Number(value) };

function shapeNamed(text: string, shared: SharedShapes): Shape {
  if (text.startsWith("=")) return { is: "word", of: text.slice(1).split(",") };
  if (text.startsWith("#")) return lengthen(shared[Number(text.slice(1))] ?? "any", shared);
  const [kind = "", min, max] = text.split(":");
  const is = kind === "whole" ? { is: "number", whole: true } : { is: kind };
  return { ...is, ...limit("min", min), ...limit("max", max) } as Shape;
}

/** The shapes of an object's fields. */
export const lengthenFields = (fields: object, shared: SharedShapes): Record<string, FieldShape> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]: [string, ShortShape]) => {
      const shape = lengthen(field, shared);
      return name.endsWith("?") ? [name.slice(0, -1), { ...shape, optional: true }] : [name, shape];
    }),
  );

/** The shape of a short form. */
export function lengthen(short: ShortShape, shared: SharedShapes): Shape {
  if (typeof short === "string") {
    const shapes = short.split("|").map((text) => shapeNamed(text, shared));
    return shapes.length === 1 ? (shapes[0] as Shape) : { is: "either", of: shapes };
  }
  if (Array.isArray(short)) {
    const [item, min, max] = short as readonly unknown[];
    return { is: "list", of: lengthen(item as ShortShape, shared), ...limit("min", min), ...limit("max", max) };
  }
  return "is" in short ? (short as Shape) : { is: "object", fields: lengthenFields(short, shared) };
}

type FieldCheck = readonly [name: string, check: Check];

const replyChecks = new Map<RequestName, readonly FieldCheck[]>();

/** The checks of a reply's fields. A program asks few of all requests, so a reply's shape is read when it first comes. */
function checksOf(name: RequestName): readonly FieldCheck[] {
  const known = replyChecks.get(name);
  if (known !== undefined) return known;
  const shapes = Object.entries(lengthenFields(REPLY_SHAPES[name](), SHARED_SHAPES()));
  const checks = shapes.map(([field, shape]): FieldCheck => [field, checkOfField(shape)]);
  replyChecks.set(name, checks);
  return checks;
}

/** The first field of a reply that is not what the contract promises; undefined when all are. */
export const misfitIn = (name: RequestName, reply: object): string | undefined =>
  checksOf(name).find(([field, check]) => !check((reply as Readonly<Record<string, unknown>>)[field]))?.[0];

/** Whether a reply has the fields that the contract promises. */
export const isReplyTo = <Name extends RequestName>(name: Name, reply: object): reply is ReceivedReply<Name> =>
  misfitIn(name, reply) === undefined;
