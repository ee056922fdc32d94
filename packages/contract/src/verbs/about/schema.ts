import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";

export const schema = defineVerb({
  name: "schema",
  group: "programs",
  summary: "Print the JSON Schema of a command, an event or an envelope.",
  input: z.object({
    name: z
      .string()
      .optional()
      .describe("Name of the schema; without it the names are listed.")
      .meta({ positional: 0 }),
  }),
  output: z.object({
    name: z.string().nullable(),
    names: z.array(z.string()).optional().describe("Every name, when none was given."),
    json_schema: z.record(z.string(), z.unknown()).optional(),
  }),
  errors: ["SCHEMA_NOT_FOUND"],
  effect: "read",
  anywhere: true,
  cacheable: true,
  examples: [
    { description: "List the schemas", command: "claw schema" },
    { description: "The answer of list-sessions", command: "claw schema list-sessions.output" },
  ],
});
