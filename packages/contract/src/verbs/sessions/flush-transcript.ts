import * as z from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count, SessionRef, SESSION_REF_ERRORS, SESSION_FILE_ERRORS } from "../../verb/output-parts.ts";

export const flushTranscript = defineVerb({
  name: "flush-transcript",
  group: "sessions",
  summary: "Store a prompt in a session and sync the session to disk.",
  input: z.object({
    prompt: z
      .string()
      .max(LIMITS.promptBytes)
      .optional()
      .describe("Text to append as a user message; without it, the session is only synced to disk.")
      .meta({ positional: 0 }),
    sessionId: SessionRef.optional().describe("Session to append to; without it a new one is made."),
  }),
  output: z.object({
    session_id: z.string(),
    path: z.string(),
    flushed: z.boolean(),
    messages_count: Count,
    input_tokens: Count,
    output_tokens: Count,
    ...changeFields,
  }),
  errors: ["MISSING_ARGUMENT", "MISSING_PROMPT", ...SESSION_REF_ERRORS, "SESSION_LOCKED", ...SESSION_FILE_ERRORS],
  effect: "write",
  examples: [
    { description: "Start a session", command: 'claw flush-transcript "review the parser"' },
    { description: "Continue the session", command: 'claw flush-transcript "and its tests" --session-id latest' },
  ],
});
