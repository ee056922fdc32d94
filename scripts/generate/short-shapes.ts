import type { FieldShape, Shape } from "claw-contract";
import type { ShortShape } from "claw-contract/schemas";

type Fields = Readonly<Record<string, FieldShape>>;

interface Sharing {
  /** How often each shape occurs, by its JSON. What is inside of a repeated shape counts once. */
  readonly counts: Map<string, number>;
  /** Numbers of the shared shapes, by their JSON. */
  readonly numbers: Map<string, number>;
  readonly shared: ShortShape[];
}

/** A shape without what a field adds to it. */
const bare = ({ optional: _optional, ...shape }: FieldShape): Shape => shape;

function partsOf(shape: Shape): readonly Shape[] {
  if (shape.is === "list") return [shape.of];
  if (shape.is === "record") return [shape.of, ...(shape.names === undefined ? [] : [shape.names])];
  if (shape.is === "either") return shape.of;
  return shape.is === "object" ? Object.values(shape.fields).map(bare) : [];
}

function count(shape: Shape, counts: Sharing["counts"]): void {
  const key = JSON.stringify(shape);
  const seen = counts.get(key) ?? 0;
  counts.set(key, seen + 1);
  if (seen === 0) for (const part of partsOf(shape)) count(part, counts);
}

const SIMPLE_WORD = /^[\w.-]+$/;

/** The text of a shape that needs no other shape; undefined for other shapes. */
function atom(shape: Shape): string | undefined {
  if (shape.is === "word") {
    const isSimple = shape.of.every((word) => typeof word === "string" && SIMPLE_WORD.test(word));
    return isSimple ? `=${shape.of.join(",")}` : undefined;
  }
  const { is, whole, min, max, ...more } = shape as Shape & { whole?: true; min?: number; max?: number };
  const isPlain = Object.keys(more).length === 0 && !["list", "record", "object", "either"].includes(is);
  if (!isPlain) return undefined;
  return `${whole === true ? "whole" : is}:${min ?? ""}:${max ?? ""}`.replace(/:+$/, "");
}

/** The name of a shape in a union: its text, or its number among the shared shapes. */
const named = (shape: Shape, sharing: Sharing): string => {
  const short = shorten(shape, sharing);
  return typeof short === "string" && !short.includes("|") ? short : share(shape, short, sharing);
};

function share(shape: Shape, short: ShortShape, { numbers, shared }: Sharing): string {
  const key = JSON.stringify(shape);
  const number = numbers.get(key) ?? shared.push(short) - 1;
  numbers.set(key, number);
  return `#${number}`;
}

function written(shape: Shape, sharing: Sharing): ShortShape {
  if (shape.is === "either") return shape.of.map((each) => named(each, sharing)).join("|");
  if (shape.is === "list") {
    const { of, min = null, max = null } = shape;
    const item = shorten(of, sharing);
    return max === null ? (min === null ? [item] : [item, min]) : [item, min, max];
  }
  if (shape.is === "object" && shape.closed !== true) return shortenFields(shape.fields, sharing);
  return atom(shape) ?? { ...shape };
}

/** A reference and its place in the list of shared shapes take about this many characters. */
const LEAST_SHARED = 12;

function shorten(shape: Shape, sharing: Sharing): ShortShape {
  const number = sharing.numbers.get(JSON.stringify(shape));
  if (number !== undefined) return `#${number}`;
  const short = written(shape, sharing);
  const isRepeated = (sharing.counts.get(JSON.stringify(shape)) ?? 0) > 1;
  return isRepeated && JSON.stringify(short).length > LEAST_SHARED ? share(shape, short, sharing) : short;
}

function shortenFields(fields: Fields, sharing: Sharing): Record<string, ShortShape> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (name === "is" || name.endsWith("?")) throw new Error(`a short shape cannot name the field ${name}`);
      return [field.optional === true ? `${name}?` : name, shorten(bare(field), sharing)];
    }),
  );
}

/** Objects written short, and the shapes that they share. */
export function shortObjects(objects: Readonly<Record<string, Fields>>) {
  const sharing: Sharing = { counts: new Map(), numbers: new Map(), shared: [] };
  for (const fields of Object.values(objects)) {
    for (const field of Object.values(fields)) count(bare(field), sharing.counts);
  }
  const short = Object.entries(objects).map(([name, fields]) => [name, shortenFields(fields, sharing)] as const);
  return { short, shared: sharing.shared };
}
