import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count, SessionRef, SESSION_REF_ERRORS, SESSION_FILE_ERRORS } from "../../verb/output-parts.ts";

export const exportSession = defineVerb({
  name: "export",
  group: "sessions",
  summary: "Write a session as Markdown or JSON, to a file or to the answer.",
  input: z.object({
    path: z
      .string()
      .optional()
      .describe("File to write; without it the answer holds the text.")
      .meta({ positional: 0 }),
    output: z.string().optional().describe("Same as PATH.").meta({ short: "o" }),
    sessionId: SessionRef.default("latest").describe("Id of the session, `latest`, or its path."),
    format: z.enum(["markdown", "json"]).default("markdown").describe("Form of the export."),
    uncommitted: z.boolean().default(false).describe("Include turns that never ended."),
    yes: z.boolean().default(false).describe("Overwrite the file if it exists.").meta({ short: "y" }),
  }),
  output: z.object({
    session_id: z.string(),
    format: z.enum(["markdown", "json"]),
    file: z.string().nullable().describe("Absolute path of the file that was written."),
    messages: Count,
    markdown: z.string().optional().describe("The text, when no file was asked for."),
    transcript: z
      .array(z.looseObject({ type: z.string() }))
      .optional()
      .describe("The records, when no file was asked for."),
    ...changeFields,
  }),
  errors: [...SESSION_REF_ERRORS, "INVALID_OUTPUT_PATH", "CONFIRMATION_REQUIRED", ...SESSION_FILE_ERRORS],
  effect: "write",
  examples: [
    { description: "The newest session to a file", command: "claw export notes.md" },
    { description: "One session as JSON", command: "claw export --session-id ID --format json" },
  ],
});
