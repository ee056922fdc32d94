import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { ToolEntry } from "../../verb/output-parts.ts";

export const showTool = defineVerb({
  name: "show-tool",
  group: "ask",
  summary: "Say what one tool of the agent does and what it takes.",
  input: z.object({ name: z.string().min(1).describe("Name or alias of the tool.").meta({ positional: 0 }) }),
  output: ToolEntry.extend({
    name: z.string().describe("The tool as it was asked for."),
    canonical_name: z.string().describe("The name the model knows it by."),
    found: z.literal(true),
    description: z.string().describe("What the model is told about it."),
    main_field: z.string().describe("The field that a payload in plain text fills."),
    input_schema: z.looseObject({}).describe("JSON Schema of its input."),
  }),
  errors: ["TOOL_NOT_FOUND"],
  effect: "read",
  examples: [{ description: "One tool", command: "claw show-tool bash" }],
});
