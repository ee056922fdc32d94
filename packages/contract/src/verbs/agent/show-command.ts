import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { SlashCommandEntry } from "../../verb/output-parts.ts";

export const showCommand = defineVerb({
  name: "show-command",
  group: "ask",
  summary: "Describe one slash command of the interactive session.",
  input: z.object({
    name: z.string().min(1).describe("Name of the command, with or without its slash.").meta({ positional: 0 }),
  }),
  output: SlashCommandEntry.extend({
    found: z.literal(true),
    kind: z.enum(["builtin", "plugin", "skill"]),
    usage: z.string().describe("How the command is typed in a session."),
    interactive_only: z.boolean().describe("Whether the command works only in a session."),
  }),
  errors: ["COMMAND_NOT_FOUND"],
  effect: "read",
  examples: [{ description: "One command", command: "claw show-command add-dir" }],
});
