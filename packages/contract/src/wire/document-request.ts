import * as z from "zod";
import type { JsonObject } from "../json.ts";
import { fieldShapesOf } from "./shape-of.ts";
import type { FieldShape } from "./shape.ts";

interface FieldMeta {
  readonly judged?: z.ZodType;
  readonly description?: string;
}

const metaOf = (schema: z.core.$ZodType): FieldMeta => (z.globalRegistry.get(schema) ?? {}) as FieldMeta;

/** The object's schema with the documented schema in place of each field that a handler judges. */
function documented(schema: z.ZodObject): z.ZodObject {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const { judged } = metaOf(field);
    return [name, judged === undefined ? field : judged.optional().describe(metaOf(judged).description ?? "")] as const;
  });
  return z.object(Object.fromEntries(fields));
}

/** A field of a request or a reply, for people. */
interface DocumentedField {
  readonly name: string;
  readonly shape: FieldShape;
  readonly description: string;
}

function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = metaOf(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (description !== undefined) return description;
  return "innerType" in def ? descriptionOf(def.innerType) : "";
}

export function documentedFields(schema: z.ZodObject, path: string): DocumentedField[] {
  const shown = documented(schema);
  return Object.entries(fieldShapesOf(shown, path)).map(([name, shape]) => ({
    name,
    shape,
    description: descriptionOf(shown.shape[name] as z.ZodType),
  }));
}

/** A request's or a reply's fields as JSON Schema. */
export function wireJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonObject {
  const override = ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    delete jsonSchema["refusal"];
    delete jsonSchema["missing"];
    // A client ignores reply fields that are unknown to the client.
    if (jsonSchema["additionalProperties"] === false) delete jsonSchema["additionalProperties"];
  };
  return z.toJSONSchema(documented(schema), { io, unrepresentable: "any", override });
}
