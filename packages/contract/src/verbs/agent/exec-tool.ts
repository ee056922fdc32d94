import * as z from "zod";
import { PermissionMode } from "../../settings/settings.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, SourceHint, WouldAffect } from "../../verb/output-parts.ts";

export const execTool = defineVerb({
  name: "exec-tool",
  group: "ask",
  summary: "Execute one tool of the agent, within the permissions that hold for it.",
  input: z.object({
    name: z.string().min(1).describe("Name or alias of the tool.").meta({ positional: 0 }),
    payload: z
      .string()
      .default("")
      .describe("Its input: a JSON object, or the text of its main field.")
      .meta({ positional: 1 }),
    permissionMode: PermissionMode.optional()
      .describe("Permission mode in place of the configured one.")
      .meta({ error: "INVALID_PERMISSION_MODE" }),
  }),
  output: z.object({
    name: z.string().describe("The tool as it was asked for."),
    canonical_name: z.string().describe("The name the model knows it by."),
    payload: z.string(),
    handled: z.boolean().describe("Whether the tool ran."),
    message: z.string().describe("How it ended, or why nothing was done."),
    output: z.string().describe("What the model would read."),
    is_error: z.boolean().describe("Whether the model would be told that it failed."),
    source_hint: SourceHint,
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: ["TOOL_FAILED", "TOOL_NOT_FOUND", "PERMISSION_DENIED", "INVALID_PERMISSION_MODE", "CONFIG_INVALID"],
  effect: "write",
  examples: [{ description: "Read a file as the agent would", command: "claw exec-tool read_file README.md" }],
});
