import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import type { Verb } from "./define-verb.ts";
import { needsUnix } from "./common-errors.ts";
import type { FieldSpec, FieldType, VerbSpec } from "./verb-spec.ts";

interface TextSchema {
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** What a field's schema says, once turned into JSON Schema. */
interface FieldSchema extends TextSchema {
  readonly type?: string;
  readonly items?: TextSchema;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly positional?: number;
  readonly rest?: boolean;
  readonly short?: string;
  readonly aliases?: readonly string[];
  readonly error?: ErrorCode;
  readonly ignoreCase?: boolean;
  readonly whole?: boolean;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export const flagName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const without = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const FIELD_TYPES: readonly FieldType[] = ["string", "integer", "number", "boolean", "array"];

function fieldType(schema: FieldSchema): FieldType {
  if (schema.enum !== undefined) return "enum";
  const type = FIELD_TYPES.find((known) => known === schema.type);
  if (type === undefined) throw new TypeError(`a flag cannot be of type ${String(schema.type)}`);
  return type;
}

function describeField(name: string, schema: FieldSchema, required: boolean): FieldSpec {
  const safe = Number.MAX_SAFE_INTEGER;
  const text = schema.items ?? schema;
  return without({
    name,
    type: fieldType(schema),
    required,
    description: schema.description ?? "",
    flag: schema.positional === undefined ? flagName(name) : undefined,
    short: schema.short,
    aliases: schema.aliases,
    positional: schema.positional,
    rest: schema.rest,
    default: schema.default,
    values: text.enum,
    ignoreCase: schema.ignoreCase,
    whole: schema.whole,
    min: schema.minimum === -safe ? undefined : schema.minimum,
    max: schema.maximum === safe ? undefined : schema.maximum,
    minLength: text.minLength,
    maxLength: text.maxLength,
    pattern: text.pattern,
    error: schema.error,
  }) as FieldSpec;
}

/** The fields of an input schema, positionals first, in the order they are declared. */
export function describeFields(input: z.ZodObject): FieldSpec[] {
  const schema = z.toJSONSchema(input, { io: "input" }) as ObjectSchema;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    describeField(name, field, schema.required?.includes(name) ?? false),
  );
  return fields.toSorted((a, b) => (a.positional ?? Infinity) - (b.positional ?? Infinity));
}

/** A verb without its schemas. */
export function describeVerb(verb: Verb): VerbSpec {
  return without({
    name: verb.name,
    alone: verb.alone,
    group: verb.group,
    rank: verb.rank,
    summary: verb.summary,
    effect: verb.effect,
    fields: describeFields(verb.input),
    errors: verb.errors,
    examples: verb.examples,
    list: verb.list,
    shownOnce: verb.shownOnce,
    cacheable: verb.list !== undefined || verb.cacheable === true,
    anywhere: verb.anywhere === true,
    streams: verb.stream !== undefined,
    unlimited: verb.unlimited === true,
    bulky: verb.bulky === true,
    plays: verb.plays === true,
    unixOnly: needsUnix(verb),
    reportsTimeout: verb.reportsTimeout === true,
  }) as VerbSpec;
}
