import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, SourceHint, SESSION_FILE_ERRORS } from "../../verb/output-parts.ts";

export const execCommand = defineVerb({
  name: "exec-command",
  group: "ask",
  summary: "Execute one slash command of the interactive session.",
  input: z.object({
    name: z.string().min(1).describe("Name of the command, with or without its slash.").meta({ positional: 0 }),
    prompt: z.string().default("").describe("Text that follows the name in a session.").meta({ positional: 1 }),
  }),
  output: z.object({
    name: z.string(),
    prompt: z.string(),
    handled: z.boolean().describe("Whether the work was done."),
    message: z.string().describe("What was done, or why nothing was."),
    source_hint: SourceHint,
    ...changeFields,
  }),
  errors: [
    "COMMAND_NOT_FOUND",
    "PERMISSION_DENIED",
    "INVALID_PERMISSION_MODE",
    "INVALID_HISTORY_COUNT",
    "UNSUPPORTED_CONFIG_SECTION",
    "INVALID_OUTPUT_PATH",
    "CONFIRMATION_REQUIRED",
    "NO_SESSIONS",
    "SESSION_NOT_FOUND",
    ...SESSION_FILE_ERRORS,
  ],
  effect: "write",
  unixOnly: true,
  examples: [
    { description: "Make a folder", command: "claw exec-command add-dir src/util" },
    { description: "Changes that git sees", command: "claw exec-command diff" },
  ],
});
