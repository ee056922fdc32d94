import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { ToolEntry } from "../../verb/output-parts.ts";

export const showTool = defineVerb({
  name: "show-tool",
  group: "ask",
  summary: "Describe one tool of the agent and its input.",
  input: z.object({ name: z.string().min(1).describe("Name or alias of the tool.").meta({ positional: 0 }) }),
  output: ToolEntry.extend({
    name: z.string().describe("Name of the tool, as given."),
    canonical_name: z.string().describe("Name of the tool for the model."),
    found: z.literal(true),
    description: z.string().describe("Description that the model reads."),
    main_field: z.string().describe("The field that a payload in plain text fills."),
    input_schema: z.looseObject({}).describe("JSON Schema of its input."),
  }),
  errors: ["TOOL_NOT_FOUND"],
  effect: "read",
  examples: [{ description: "One tool", command: "claw show-tool bash" }],
});
