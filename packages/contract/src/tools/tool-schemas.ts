import * as z from "zod";
import type { JsonObject } from "../json.ts";

/** Members that say nothing a reader of the schema needs. */
const SILENT = new Set(["$schema", "additionalProperties"]);
const LARGEST = Number.MAX_SAFE_INTEGER;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => !SILENT.has(name) && member !== LARGEST && member !== -LARGEST,
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, shortened(member)]));
}

/** A schema as JSON Schema, without what a model does not need. */
const jsonOf = (schema: z.ZodType, io: "input" | "output"): JsonObject =>
  shortened(z.toJSONSchema(schema, { io, unrepresentable: "any" })) as JsonObject;

export const toolInputSchema = (input: z.ZodObject): JsonObject => jsonOf(input, "input");

/** What a tool answers: its output, or the error that stopped it. Some clients check failures against it too. */
export function toolOutputSchema(output: z.ZodObject): JsonObject {
  const { properties, required = [], ...rest } = jsonOf(output, "output");
  return {
    ...rest,
    properties: { ...(properties as JsonObject), error: { type: "object" } },
    anyOf: [{ required }, { required: ["error"] }],
  };
}
