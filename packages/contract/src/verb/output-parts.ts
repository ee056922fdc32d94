import * as z from "zod";

/** Naming one stored session: its id, `latest`, or the path claw printed for it. */
export const SessionRef = z.string().min(1).max(4096);

export const Timestamp = z.iso.datetime();

export const Count = z.int().min(0);

/** A count that a listing could not take without reading the whole file. */
export const CountIfKnown = Count.nullable();

/** What a mutation did, or in a dry run would have done. */
export const MutationEffect = z.enum([
  "created",
  "updated",
  "deleted",
  "noop",
  "would_create",
  "would_update",
  "would_delete",
]);

/** In a dry run, the paths that would change. */
export const WouldAffect = z.array(z.string()).optional().describe("In a dry run: absolute paths that would change.");

export const SessionSummary = z.object({
  session_id: z.string(),
  id: z.string().describe("Same as session_id."),
  path: z.string().describe("Absolute path of the session file."),
  created_at: Timestamp,
  last_modified: Timestamp,
  updated_at_ms: Count,
  prompt_count: CountIfKnown,
  message_count: CountIfKnown,
  stopped: z.boolean().describe("True when no process holds the session for writing."),
});
