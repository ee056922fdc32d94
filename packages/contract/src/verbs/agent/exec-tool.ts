import * as z from "zod";
import { PermissionModeChoice } from "../../settings/settings.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, SourceHint } from "../../verb/output-parts.ts";

export const execTool = defineVerb({
  name: "exec-tool",
  group: "ask",
  summary: "Execute one tool of the agent, if its permissions allow the call.",
  input: z.object({
    name: z.string().min(1).describe("Name or alias of the tool.").meta({ positional: 0 }),
    payload: z
      .string()
      .default("")
      .describe("Input of the tool: a JSON object, or the text of its main field.")
      .meta({ positional: 1 }),
    permissionMode: PermissionModeChoice.optional()
      .describe("Permission mode in place of the configured one.")
      .meta({ error: "INVALID_PERMISSION_MODE" }),
  }),
  output: z.object({
    name: z.string().describe("Name of the tool, as given."),
    canonical_name: z.string().describe("Name of the tool for the model."),
    payload: z.string(),
    handled: z.boolean().describe("Whether the tool ran."),
    message: z.string().describe("How the tool ended, or why it did not run."),
    output: z.string().describe("What the model would read."),
    is_error: z.boolean().describe("Whether the model would see the result as a failure."),
    source_hint: SourceHint,
    ...changeFields,
  }),
  errors: ["TOOL_FAILED", "TOOL_NOT_FOUND", "PERMISSION_DENIED", "INVALID_PERMISSION_MODE", "CONFIG_INVALID"],
  effect: "write",
  unixOnly: true,
  examples: [{ description: "Read a file as the agent would", command: "claw exec-tool read_file README.md" }],
});
