import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import {
  Count,
  SessionRef,
  SessionSummary,
  Timestamp,
  SESSION_REF_ERRORS,
  SESSION_FILE_ERRORS,
} from "../../verb/output-parts.ts";

export const loadSession = defineVerb({
  name: "load-session",
  group: "sessions",
  summary: "Read one stored session and show what it holds.",
  input: z.object({
    sessionId: SessionRef.describe("Id of the session, `latest`, or its path.").meta({ positional: 0 }),
  }),
  output: z.object({
    session_id: z.string(),
    loaded: z.literal(true),
    directory: z.string(),
    path: z.string(),
    created_at: Timestamp,
    last_modified: Timestamp,
    messages_count: Count,
    prompt_count: Count,
    turns_count: Count,
    uncommitted_count: Count.describe("Messages of turns that never ended; they do not count."),
    input_tokens: Count,
    output_tokens: Count,
    stopped: z.boolean(),
    session: SessionSummary.extend({ messages: Count.describe("Same as messages_count.") }),
  }),
  errors: [...SESSION_REF_ERRORS, ...SESSION_FILE_ERRORS],
  effect: "read",
  examples: [{ description: "The newest session", command: "claw load-session latest" }],
});
