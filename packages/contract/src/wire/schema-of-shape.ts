import * as z from "zod/mini";
import { isTime, isMoment } from "./check-shape.ts";
import type { FieldShape, Shape } from "./shape.ts";

type Schema = z.ZodMiniType;

function textSchema({ min, max, pattern }: Extract<Shape, { is: "text" }>): Schema {
  const checks = [
    ...(min === undefined ? [] : [z.minLength(min)]),
    ...(max === undefined ? [] : [z.maxLength(max)]),
    ...(pattern === undefined ? [] : [z.regex(new RegExp(pattern, "u"))]),
  ];
  return z.string().check(...checks);
}

function numberSchema({ whole, min, max, above }: Extract<Shape, { is: "number" }>): Schema {
  const checks = [
    ...(min === undefined ? [] : [z.gte(min)]),
    ...(max === undefined ? [] : [z.lte(max)]),
    ...(above === undefined ? [] : [z.gt(above)]),
  ];
  return (whole === true ? z.int() : z.number()).check(...checks);
}

/** The length is checked before the entries: a long list of wrong entries would produce a long list of problems. */
function listSchema({ of, min, max }: Extract<Shape, { is: "list" }>): Schema {
  const checks = [...(min === undefined ? [] : [z.minLength(min)]), ...(max === undefined ? [] : [z.maxLength(max)])];
  return z.pipe(z.array(z.unknown()).check(...checks), z.array(schemaOfShape(of)));
}

const fieldSchema = (field: FieldShape): Schema =>
  field.optional === true ? z.optional(schemaOfShape(field)) : schemaOfShape(field);

function objectSchema({ fields, closed }: Extract<Shape, { is: "object" }>): Schema {
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
  return closed === true ? z.strictObject(schemas) : z.looseObject(schemas);
}

/** The zod schema that accepts the same values as a shape. */
export function schemaOfShape(shape: Shape): Schema {
  switch (shape.is) {
    case "any":
      return z.unknown();
    case "boolean":
      return z.boolean();
    case "null":
      return z.null();
    case "time":
      return z.string().check(z.refine(isTime, "must be a time in UTC"));
    case "moment":
      return z.string().check(z.refine(isMoment, "must be a time"));
    case "uuid":
      return z.uuid();
    case "text":
      return textSchema(shape);
    case "number":
      return numberSchema(shape);
    case "word":
      return z.literal([...shape.of]);
    case "list":
      return listSchema(shape);
    case "record":
      return z.record(z.string(), schemaOfShape(shape.of));
    case "object":
      return objectSchema(shape);
    case "either":
      return z.union(shape.of.map(schemaOfShape));
  }
}
