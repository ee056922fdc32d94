import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, SessionRef, SESSION_REF_ERRORS } from "../../verb/output-parts.ts";

export const deleteSession = defineVerb({
  name: "delete-session",
  group: "sessions",
  summary: "Delete one stored session.",
  input: z.object({
    sessionId: SessionRef.describe("Id of the session.").meta({ positional: 0 }),
  }),
  output: z.object({
    session_id: z.string(),
    deleted: z.boolean(),
    status: z.enum(["deleted", "would_delete", "not_found"]),
    directory: z.string(),
    path: z.string(),
    ...changeFields,
  }),
  errors: [
    ...SESSION_REF_ERRORS,
    "SESSION_LOCKED",
    "SESSION_UNREADABLE",
    "SESSION_PATH_IS_DIRECTORY",
    "SESSION_DELETE_FAILED",
  ],
  effect: "delete",
  examples: [{ description: "Show what would be deleted", command: "claw delete-session latest --dry-run" }],
});
