import { ClawError, LIMITS, nearest } from "claw-contract";
import { jsonSchema, jsonSchemaNames } from "claw-contract/schemas";
import { handle } from "../runtime/handle.ts";

export const handler = handle("schema", {
  run: ({ name }) => {
    if (name === undefined) return { name: null, names: jsonSchemaNames() };
    const found = jsonSchema(name);
    if (found !== undefined) return { name, json_schema: found };
    const target = name.slice(0, 200);
    const close = nearest(name, jsonSchemaNames(), { limit: LIMITS.suggestions });
    throw new ClawError("SCHEMA_NOT_FOUND", `there is no schema '${target}'`, {
      operation: "find_schema",
      target,
      ...(close.length === 0 ? {} : { hint: `Did you mean ${close.join(" or ")}?` }),
      details: { suggestions: close },
    });
  },
  show: ({ names, json_schema }) => (names === undefined ? JSON.stringify(json_schema, null, 2) : names.join("\n")),
});
