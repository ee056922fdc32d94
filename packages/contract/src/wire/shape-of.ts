import * as z from "zod";
import type { FieldShape, Shape } from "./shape.ts";

type Limits = Extract<Shape, { is: "text" }> & Extract<Shape, { is: "number" }>;

/** Limits of a schema, from the checks that the schema library attaches to it. */
function limitsOf(schema: z.core.$ZodType, path: string): Partial<Omit<Limits, "is">> {
  const checks = [schema as unknown as z.core.$ZodCheck, ...(schema._zod.def.checks ?? [])];
  return Object.assign({}, ...checks.map((check) => limitOf(check._zod.def, path))) as Partial<Omit<Limits, "is">>;
}

/** The limit that a check of the schema library sets; undefined for a check that a shape cannot express. */
function expressedBy(def: z.core.$ZodChecks["_zod"]["def"]): object | undefined {
  const { check } = def;
  if (check === "min_length") return { min: def.minimum };
  if (check === "max_length") return { max: def.maximum };
  if (check === "greater_than") return def.inclusive ? { min: def.value } : { above: def.value };
  if (check === "less_than") return def.inclusive ? { max: def.value } : undefined;
  if (check === "number_format") return def.format === "safeint" ? { whole: true } : undefined;
  return check === "string_format" && def.pattern !== undefined ? { pattern: def.pattern.source } : undefined;
}

function limitOf(def: z.core.$ZodCheckDef, path: string): object {
  // A list of checks may hold a plain schema, which limits nothing.
  if ((def.check as string | undefined) === undefined) return {};
  const limit = expressedBy(def as z.core.$ZodChecks["_zod"]["def"]);
  if (limit === undefined) throw new Error(`${path}: a shape cannot express the check ${def.check}`);
  return limit;
}

/** Kinds in place of long expressions of the schema library. */
const KIND_OF_PATTERN = new Map<unknown, "time" | "moment" | "uuid">([
  [z.iso.datetime()._zod.def.pattern?.source, "time"],
  [z.iso.datetime({ offset: true })._zod.def.pattern?.source, "moment"],
  [z.uuid()._zod.def.pattern?.source, "uuid"],
]);

function textShape(schema: z.core.$ZodString, path: string): Shape {
  const { checks = [], pattern } = schema._zod.def as z.core.$ZodStringFormatDef;
  const kind = checks.length === 0 ? KIND_OF_PATTERN.get(pattern?.source) : undefined;
  return kind === undefined ? { is: "text", ...limitsOf(schema, path) } : { is: kind };
}

/** A union without nested unions. */
const either = (shapes: readonly Shape[]): Shape => ({
  is: "either",
  of: shapes.flatMap((shape) => (shape.is === "either" ? shape.of : [shape])),
});

function recordShape({ keyType, valueType }: z.core.$ZodRecordDef, path: string): Shape {
  const names = shapeOf(keyType, `${path} name`);
  const of = shapeOf(valueType, `${path}{}`);
  return Object.keys(names).length === 1 ? { is: "record", of } : { is: "record", of, names };
}

const closedness = ({ catchall }: z.core.$ZodObjectDef): { closed?: true } =>
  catchall?._zod.def.type === "never" ? { closed: true } : {};

/** The schema in a field that `orElse` made; undefined for other fields. */
function blankSchemaOf({ def }: z.core.$ZodTypes["_zod"]): z.core.$ZodType | undefined {
  if (def.type !== "pipe" || (def.out as z.core.$ZodTypes)._zod.def.type !== "transform") return undefined;
  const optional = (def.in as z.core.$ZodOptional)._zod.def.innerType;
  return (optional as z.core.$ZodUnion)._zod.def.options[0];
}

const EXPRESSIBLE = [
  "any",
  "unknown",
  "boolean",
  "null",
  "string",
  "number",
  "literal",
  "enum",
  "array",
  "record",
  "union",
  "nullable",
  "readonly",
  "nonoptional",
  "pipe",
  "object",
] as const;

type Def = z.core.$ZodTypes["_zod"]["def"];
type ExpressibleDef = Extract<Def, { type: (typeof EXPRESSIBLE)[number] }>;

const isExpressible = (def: Def): def is ExpressibleDef => EXPRESSIBLE.some((type) => type === def.type);

/** The shape of a schema. Throws when a shape cannot express the schema. */
export function shapeOf(schema: z.core.$ZodType, path: string): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (!isExpressible(def)) throw new Error(`${path}: a shape cannot express a schema of type ${def.type}`);
  switch (def.type) {
    case "any":
    case "unknown":
      return { is: "any" };
    case "boolean":
    case "null":
      return { is: def.type };
    case "string":
      return textShape(schema as z.core.$ZodString, path);
    case "number":
      return { is: "number", ...limitsOf(schema, path) };
    case "literal":
      return { is: "word", of: def.values as readonly (string | number | boolean | null)[] };
    case "enum":
      return { is: "word", of: Object.values(def.entries) };
    case "array":
      return { is: "list", of: shapeOf(def.element, `${path}[]`), ...limitsOf(schema, path) };
    case "record":
      return recordShape(def, path);
    case "union":
      return either(def.options.map((option) => shapeOf(option, path)));
    case "nullable":
      return either([shapeOf(def.innerType, path), { is: "null" }]);
    case "readonly":
    case "nonoptional":
      return shapeOf(def.innerType, path);
    case "pipe":
      // A pipe checks the length of a list before the entries.
      return shapeOf(def.out, path);
    case "object":
      return { is: "object", fields: fieldShapesOf(schema as z.core.$ZodObject, path), ...closedness(def) };
  }
}

/** The refusals that `refusedAs` gave a field. */
function refusalsOf(schema: z.core.$ZodType): Pick<FieldShape, "refusal" | "missing"> {
  const { refusal, missing } = (z.globalRegistry.get(schema) ?? {}) as Pick<FieldShape, "refusal" | "missing">;
  if (refusal === undefined) return {};
  return missing === undefined || missing === refusal ? { refusal } : { refusal, missing };
}

/** A field whose values of another shape are replaced. */
function looseShapeOf({ innerType, catchValue }: z.core.$ZodCatchDef, path: string): FieldShape {
  const inner = fieldShapeOf(innerType, path);
  const instead: unknown = inner.preset === undefined ? catchValue({} as z.core.$ZodCatchCtx) : undefined;
  return { ...inner, loose: true, ...(instead === undefined ? {} : { instead }) };
}

function fieldShapeOf(schema: z.core.$ZodType, path: string): FieldShape {
  const named = refusalsOf(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const blank = blankSchemaOf((schema as z.core.$ZodTypes)._zod);
  if (blank !== undefined) {
    const preset: unknown = z.parse(schema, undefined);
    return { ...fieldShapeOf(blank, path), ...named, blank: true, ...(preset === undefined ? {} : { preset }) };
  }
  if (def.type === "optional") return { ...fieldShapeOf(def.innerType, path), ...named, optional: true };
  if (def.type === "catch") return { ...looseShapeOf(def, path), ...named };
  if (def.type === "default") return { ...fieldShapeOf(def.innerType, path), ...named, preset: def.defaultValue };
  return { ...shapeOf(schema, path), ...named };
}

/** The shapes of an object's fields, in the order of the schema. */
export const fieldShapesOf = (schema: z.core.$ZodObject, path: string): Record<string, FieldShape> =>
  Object.fromEntries(
    Object.entries(schema._zod.def.shape).map(([name, field]) => [name, fieldShapeOf(field, `${path}.${name}`)]),
  );
