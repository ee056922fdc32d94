import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";

const FlagEntry = z.object({
  type: z.enum(["string", "integer", "number", "boolean", "array", "enum"]),
  required: z.boolean(),
  description: z.string(),
  default: z.unknown().optional(),
  enum_values: z.array(z.string()).optional(),
  short: z.string().length(1).optional(),
});

const ExitEntry = z.object({
  name: z.string(),
  description: z.string(),
  retryable: z.boolean(),
  side_effects: z.enum(["none", "partial", "complete"]),
});

export const CommandEntry = z.object({
  description: z.string(),
  aliases: z.array(z.string()).optional().describe("Shorter spellings of the same command."),
  danger_level: z.enum(["safe", "mutating", "destructive"]),
  flags: z.record(z.string(), FlagEntry),
  positionals: z.array(FlagEntry.extend({ name: z.string() })),
  exit_codes: z.record(z.string(), ExitEntry),
  errors: z.array(z.string()).describe("Every error.code this command can answer with."),
  output_formats: z.array(z.string()),
  output_schema: z.record(z.string(), z.unknown()),
  required_scopes: z.array(z.string()),
  requires_credentials: z.boolean(),
  examples: z.array(z.object({ description: z.string(), command: z.string() })),
});

export const manifest = defineVerb({
  name: "manifest",
  group: "programs",
  summary: "Describe every command, flag, exit code and output in one answer, for programs.",
  input: z.object({}),
  output: z.object({
    framework_version: z.string(),
    commands: z.record(z.string(), CommandEntry),
    global_flags: z.record(z.string(), FlagEntry),
    renamed: z.record(z.string(), z.string()).describe("Old spellings and what to call instead."),
    environment: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
  errors: [],
  effect: "read",
  anywhere: true,
  cacheable: true,
  examples: [{ description: "For a program", command: "claw manifest --output-format json" }],
});
