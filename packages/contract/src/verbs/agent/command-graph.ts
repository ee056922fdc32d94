import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { SlashCommandEntry, Count } from "../../verb/output-parts.ts";

export const commandGraph = defineVerb({
  name: "command-graph",
  group: "ask",
  summary: "List the slash commands of the interactive session, grouped by origin.",
  input: z.object({}),
  output: z.object({
    builtins_count: Count,
    plugin_like_count: Count,
    skill_like_count: Count,
    total_count: Count,
    builtins: z.array(SlashCommandEntry).describe("Commands that are part of claw."),
    plugin_like: z.array(SlashCommandEntry).describe("Commands of plugins."),
    skill_like: z.array(SlashCommandEntry).describe("Skills found for this folder."),
  }),
  errors: [],
  effect: "read",
  examples: [{ description: "For a program", command: "claw command-graph --output-format json" }],
});
