import type { FieldShape, Shape } from "claw-contract";
import type { ShortShape, SharedShapes } from "claw-contract/schemas";

interface Sharing {
  /** How often each shape occurs, by its JSON. What is inside of a repeated shape counts once. */
  readonly counts: Map<string, number>;
  /** Numbers of the shared shapes, by their JSON. */
  readonly numbers: Map<string, number>;
  readonly shared: (ShortShape | Shape)[];
}

/** A shape without what a field adds to it. */
const bare = ({ optional: _optional, ...shape }: FieldShape): Shape => shape;

function partsOf(shape: Shape): readonly Shape[] {
  if (shape.is === "list") return [shape.of];
  if (shape.is === "record") return shape.names === undefined ? [shape.of] : [];
  if (shape.is === "either") return shape.of;
  return shape.is === "object" && shape.closed !== true ? Object.values(shape.fields).map(bare) : [];
}

function count(shape: Shape, counts: Sharing["counts"]): void {
  const key = JSON.stringify(shape);
  const seen = counts.get(key) ?? 0;
  counts.set(key, seen + 1);
  if (seen === 0) for (const part of partsOf(shape)) count(part, counts);
}

const LETTERS = { text: "t", number: "n", boolean: "b", null: "0", any: "a", uuid: "u", time: "z", moment: "m" };

const SIMPLE_WORD = /^[\w.-]+$/;

const NAME = /^[\w.-]+$/;

const limits = ({ min = "", max }: { min?: number | ""; max?: number }): string =>
  `${min}${max === undefined ? "" : `-${max}`}`;

/** A number below zero would read as an upper limit. */
const hasPlainLimits = ({ min = 0, max = 0 }: { min?: number; max?: number }): boolean => min >= 0 && max >= 0;

function isWord(shape: Shape): boolean {
  return shape.is === "word" && shape.of.every((word) => typeof word === "string" && SIMPLE_WORD.test(word));
}

/** Whether a shape needs to be written in full. */
function isOdd(shape: Shape): boolean {
  if (shape.is === "word") return !isWord(shape);
  if (shape.is === "text") return shape.pattern !== undefined || !hasPlainLimits(shape);
  if (shape.is === "number") return shape.above !== undefined || !hasPlainLimits(shape);
  if (shape.is === "record") return shape.names !== undefined;
  return shape.is === "object" && (shape.closed === true || Object.keys(shape.fields).some((name) => !NAME.test(name)));
}

function share(shape: Shape, short: ShortShape | Shape, { numbers, shared }: Sharing): ShortShape {
  const number = shared.push(short) - 1;
  numbers.set(JSON.stringify(shape), number);
  return `#${number}`;
}

function written(shape: Shape, sharing: Sharing): ShortShape {
  if (shape.is === "word") return `=${shape.of.join("/")}`;
  if (shape.is === "list") return `[${shorten(shape.of, sharing)}]${limits(shape)}`;
  if (shape.is === "record") return `%${single(shape.of, sharing)}`;
  if (shape.is === "either") return shape.of.map((each) => single(each, sharing)).join("|");
  if (shape.is === "object") return `{${fieldsText(shape.fields, sharing)}}`;
  if (shape.is === "number" && shape.whole === true) return `w${limits(shape)}`;
  return `${LETTERS[shape.is]}${"min" in shape || "max" in shape ? limits(shape) : ""}`;
}

/** A shape where a shape of several would be misread. */
function single(shape: Shape, sharing: Sharing): ShortShape {
  const short = shorten(shape, sharing);
  return shape.is === "either" && !short.startsWith("#") ? share(shape, short, sharing) : short;
}

const fieldsText = (fields: Readonly<Record<string, FieldShape>>, sharing: Sharing): string =>
  Object.entries(fields)
    .map(([name, field]) => `${name}${field.optional === true ? "?" : ":"}${shorten(bare(field), sharing)}`)
    .join(",");

/** A reference and its place in the list of shared shapes take about this many characters. */
const LEAST_SHARED = 6;

function shorten(shape: Shape, sharing: Sharing): ShortShape {
  const number = sharing.numbers.get(JSON.stringify(shape));
  if (number !== undefined) return `#${number}`;
  if (isOdd(shape)) return share(shape, shape, sharing);
  const short = written(shape, sharing);
  const isRepeated = (sharing.counts.get(JSON.stringify(shape)) ?? 0) > 1;
  return isRepeated && short.length > LEAST_SHARED ? share(shape, short, sharing) : short;
}

/** A new list of shared shapes, and the function that writes shapes short, all with that list. */
export function createShortener(shapes: readonly Shape[]) {
  const sharing: Sharing = { counts: new Map(), numbers: new Map(), shared: [] };
  for (const shape of shapes) count(shape, sharing.counts);
  return { shorten: (shape: Shape) => shorten(shape, sharing), shared: sharing.shared as SharedShapes };
}
