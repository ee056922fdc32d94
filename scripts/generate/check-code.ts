import type { FieldShape, Shape } from "claw-contract";

type Limits = { readonly min?: number; readonly max?: number };
type ObjectShape = Extract<Shape, { is: "object" }>;

/** Functions of the checks. A function stands behind those that it calls. */
type CheckCode = string[];

const limits = (amount: string, { min, max }: Limits): string[] => [
  ...(min === undefined ? [] : [`${amount} >= ${min}`]),
  ...(max === undefined ? [] : [`${amount} <= ${max}`]),
];

function textTest(value: string, { pattern, ...shape }: Extract<Shape, { is: "text" }>): string {
  if (pattern !== undefined) throw new Error(`checks of the pattern ${pattern} are not generated`);
  return [`typeof ${value} === "string"`, ...limits(`${value}.length`, shape)].join(" && ");
}

function numberTest(value: string, { whole, above, ...shape }: Extract<Shape, { is: "number" }>): string {
  const kind = whole === true ? `Number.isSafeInteger(${value})` : `Number.isFinite(${value})`;
  const tests = [`typeof ${value} === "number"`, kind, ...limits(value, shape)];
  return [...tests, ...(above === undefined ? [] : [`${value} > ${above}`])].join(" && ");
}

/** An expression that says whether `value` has the shape. */
function testOf(value: string, shape: Shape, code: CheckCode): string {
  switch (shape.is) {
    case "any":
      return `${value} !== undefined`;
    case "null":
      return `${value} === null`;
    case "boolean":
      return `typeof ${value} === "boolean"`;
    case "moment":
      return `isMoment(${value})`;
    case "uuid":
      return `isUuid(${value})`;
    case "text":
      return textTest(value, shape);
    case "number":
      return numberTest(value, shape);
    case "word":
      return `(${shape.of.map((word) => `${value} === ${JSON.stringify(word)}`).join(" || ")})`;
    case "list":
      return [`Array.isArray(${value})`, ...limits(`${value}.length`, shape)]
        .concat(`${value}.every(${functionOf(shape.of, code)})`)
        .join(" && ");
    case "object":
      return `${functionOf(shape, code)}(${value})`;
    case "either":
      return `(${shape.of.map((each) => `(${testOf(value, each, code)})`).join(" || ")})`;
    case "record":
    case "time":
      throw new Error(`checks of ${shape.is} are not generated`);
  }
}

/** The field that has another single word in each of several objects; undefined when there is none. */
function tagOf(shapes: readonly Shape[]): string | undefined {
  if (!shapes.every((shape) => shape.is === "object")) return undefined;
  const wordOf = ({ fields }: ObjectShape, name: string): unknown => {
    const field = fields[name];
    return field?.is === "word" && field.of.length === 1 ? field.of[0] : undefined;
  };
  const isTag = (name: string): boolean => {
    const words = shapes.map((shape) => wordOf(shape, name));
    return !words.includes(undefined) && new Set(words).size === shapes.length;
  };
  return Object.keys(shapes[0]?.fields ?? {}).find(isTag);
}

function taggedFunction(shapes: readonly ObjectShape[], code: CheckCode): string {
  const tag = tagOf(shapes) ?? "";
  const cases = shapes.map((shape) => {
    const { of } = shape.fields[tag] as Extract<Shape, { is: "word" }>;
    return `    case ${JSON.stringify(of[0])}:\n      return ${functionOf(shape, code)}(value);`;
  });
  const body = [`  switch (value[${JSON.stringify(tag)}]) {`, ...cases, "    default:\n      return false;", "  }"];
  return addFunction(["  if (!isObject(value)) return false;", ...body], code);
}

/** Fields that may be absent, from which on it pays to ask first whether there are any. */
const MANY = 16;

function objectBody({ fields, closed }: ObjectShape, code: CheckCode): string[] {
  if (closed === true) throw new Error("checks of closed objects are not generated");
  const entries = Object.entries(fields);
  const optional = entries.filter(([, field]) => field.optional === true);
  const required = entries.filter(([, field]) => field.optional !== true);
  const line = ([name, field]: [string, FieldShape], index: number): string => {
    const test = testOf(`f${index}`, field, code);
    const mayLack = field.optional === true ? `f${index} !== undefined && ` : "";
    return `  const f${index} = value[${JSON.stringify(name)}];\n  if (${mayLack}!(${test})) return false;`;
  };
  return [
    "  if (!isObject(value)) return false;",
    ...required.map(line),
    ...(optional.length < MANY ? [] : [`  if (Object.keys(value).length === ${required.length}) return true;`]),
    ...optional.map((entry, index) => line(entry, required.length + index)),
    "  return true;",
  ];
}

function addFunction(body: readonly string[], code: CheckCode, name = `check${code.length}`): string {
  code.push([`function ${name}(value: unknown): boolean {`, ...body, "}"].join("\n"));
  return name;
}

/** The name of a function that says whether a value has the shape. Equal shapes have one function. */
function functionOf(shape: Shape, code: CheckCode): string {
  if (shape.is === "either" && tagOf(shape.of) !== undefined) return taggedFunction(shape.of as ObjectShape[], code);
  const body = shape.is === "object" ? objectBody(shape, code) : [`  return ${testOf("value", shape, code)};`];
  const known = code.find((text) => text.endsWith(`{\n${body.join("\n")}\n}`));
  return known === undefined ? addFunction(body, code) : (/function (\w+)/.exec(known)?.[1] ?? "");
}

/** Source text of functions that check shapes: as fast as code by hand, several times as fast as `checkOf`. */
export function checkFunctions(shapes: Readonly<Record<string, Shape>>): string {
  const code: CheckCode = [];
  const named = Object.entries(shapes).map(
    ([name, shape]) => `export const ${name}: Check = ${functionOf(shape, code)};`,
  );
  return [...code, ...named].join("\n\n");
}
