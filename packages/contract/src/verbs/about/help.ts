import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";
import { VERB_GROUPS } from "../../verb/verb-groups.ts";

const Option = z.object({
  flag: z.string(),
  type: z.string(),
  required: z.boolean(),
  description: z.string(),
});

export const help = defineVerb({
  name: "help",
  group: "programs",
  summary: "Explain claw, or one command.",
  input: z.object({
    topic: z.string().optional().describe("Command to explain.").meta({ positional: 0 }),
    action: z.string().optional().describe("Second word of a two-word command.").meta({ positional: 1 }),
  }),
  output: z.object({
    kind: z.literal("help"),
    topic: z.string().nullable(),
    usage: z.string(),
    purpose: z.string(),
    commands: z
      .array(z.object({ name: z.string(), summary: z.string(), group: z.enum(VERB_GROUPS.map(({ id }) => id)) }))
      .optional()
      .describe("Every command, group after group."),
    total_commands: Count.optional(),
    arguments: z.array(Option).optional(),
    options: z.array(Option),
    defaults: z.record(z.string(), z.unknown()),
    examples: z.array(z.object({ description: z.string(), command: z.string() })),
    formats: z.array(z.string()),
    local_only: z.boolean().describe("True when no network is used."),
    requires_credentials: z.boolean(),
  }),
  errors: ["HELP_TOPIC_NOT_FOUND"],
  effect: "read",
  anywhere: true,
  examples: [{ description: "Explain one command", command: "claw help export" }],
});
