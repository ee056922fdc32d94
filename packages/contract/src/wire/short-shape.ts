import type { FieldShape, Shape } from "./shape.ts";

/**
 * A shape written short, since every program that speaks to the bus carries the shapes of all replies. A kind without
 * limits is its name, choices between such kinds stand behind each other, and a question mark says that the field may be
 * absent: `text`, `number?`, `text|null`.
 */
export type ShortShape = string | { readonly [key: string]: unknown };

type Plain = Readonly<Record<string, unknown>>;

const typeName = (shape: Shape): string | undefined => (Object.keys(shape).length === 1 ? shape.is : undefined);

function shortName({ optional, ...shape }: FieldShape): string | undefined {
  const choices = shape.is === "either" && Object.keys(shape).length === 2 ? shape.of.map(typeName) : [typeName(shape)];
  return choices.includes(undefined) ? undefined : `${choices.join("|")}${optional === true ? "?" : ""}`;
}

const mapFields = <From, To>(fields: Readonly<Record<string, From>>, change: (field: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));

type Change = (part: never) => unknown;

/** Changes a shape, or each of several. */
const changeAll = (parts: unknown, change: Change): unknown =>
  Array.isArray(parts) ? parts.map((part) => change(part as never)) : change(parts as never);

/** Changes the shapes inside a shape. The words of a `word` are no shapes. */
function mapParts({ of, fields, names, ...rest }: Plain, change: Change): Plain {
  return {
    ...rest,
    ...(of === undefined ? {} : { of: rest["is"] === "word" ? of : changeAll(of, change) }),
    ...(fields === undefined ? {} : { fields: mapFields(fields as Record<string, never>, change) }),
    ...(names === undefined ? {} : { names: change(names as never) }),
  };
}

/** The short form of a shape. */
export const shortenShape = (shape: FieldShape): ShortShape => shortName(shape) ?? mapParts(shape, shortenShape);

function shapeNamed(text: string): FieldShape {
  const optional = text.endsWith("?") ? ({ optional: true } as const) : {};
  const kinds = text.replace("?", "").split("|");
  const shapes = kinds.map((is) => ({ is }) as Shape);
  return { ...(shapes.length === 1 ? (shapes[0] as Shape) : { is: "either", of: shapes }), ...optional };
}

/** The shape of a short form. */
export const lengthen = (short: ShortShape): FieldShape =>
  typeof short === "string" ? shapeNamed(short) : (mapParts(short, lengthen) as FieldShape);
