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

/** Whether a shape is null or one kind of value that a letter stands for. */
function isNullable({ of }: Extract<Shape, { is: "either" }>): boolean {
  const [first, second] = of;
  return of.length === 2 && second?.is === "null" && first !== undefined && first.is in LETTERS && !isOdd(first);
}

const capital = (short: ShortShape): ShortShape => short.charAt(0).toUpperCase() + short.slice(1);

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
  if (shape.is === "list") return `[${unlessText(shorten(shape.of, sharing))}]${limits(shape)}`;
  if (shape.is === "record") return `%${single(shape.of, sharing)}`;
  if (shape.is === "either" && isNullable(shape)) return capital(shorten(shape.of[0] as Shape, sharing));
  const common = commonFields(shape);
  if (shape.is === "either" && Object.keys(common).length > 1) return factored(shape.of, common, sharing);
  if (shape.is === "either") return shape.of.map((each) => single(each, sharing)).join("|");
  if (shape.is === "object") return `{${fieldsText(shape.fields, sharing)}}`;
  if (shape.is === "number" && shape.whole === true) return `w${limits(shape)}`;
  return `${LETTERS[shape.is]}${"min" in shape || "max" in shape ? limits(shape) : ""}`;
}

/** The fields that all of several objects have alike. */
function commonFields(shape: Shape): Readonly<Record<string, FieldShape>> {
  const objects = shape.is === "either" ? shape.of : [];
  const [first, ...others] = objects.map((each) => (each.is === "object" && !isOdd(each) ? each.fields : {}));
  const isCommon = ([name, field]: [string, FieldShape]): boolean =>
    others.every((fields) => JSON.stringify(fields[name]) === JSON.stringify(field));
  return Object.fromEntries(Object.entries(first ?? {}).filter(isCommon));
}

function factored(of: readonly Shape[], common: Readonly<Record<string, FieldShape>>, sharing: Sharing): ShortShape {
  const ownFields = (shape: Shape): Record<string, FieldShape> =>
    Object.fromEntries(
      Object.entries(shape.is === "object" ? shape.fields : {}).filter(([name]) => !Object.hasOwn(common, name)),
    );
  const own = of.map((shape) => `{${fieldsText(ownFields(shape), sharing)}}`);
  return `{${fieldsText(common, sharing)}}&${own.join("|")}`;
}

/** A shape where a shape of several would be misread. */
function single(shape: Shape, sharing: Sharing): ShortShape {
  const short = shorten(shape, sharing);
  return shape.is === "either" && !short.startsWith("#") ? share(shape, short, sharing) : short;
}

/** A shape where text is meant when nothing is written. */
const unlessText = (short: ShortShape): ShortShape => (short === "t" ? "" : short);

const fieldText = (name: string, isOptional: boolean, short: ShortShape): string =>
  `${name}${isOptional ? "?" : short === "t" ? "" : ":"}${unlessText(short)}`;

const fieldsText = (fields: Readonly<Record<string, FieldShape>>, sharing: Sharing): string =>
  Object.entries(fields)
    .map(([name, field]) => fieldText(name, field.optional === true, shorten(bare(field), sharing)))
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
  return { shorten: (shape: Shape) => shorten(shape, sharing), shared: sharing.shared as SharedShapes["shapes"] };
}
