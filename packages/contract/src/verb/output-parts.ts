import type { ErrorCode } from "../errors/errors.ts";
import * as z from "zod";

/** Reference to a stored session: the id, `latest`, or the path that claw printed. */
export const SessionRef = z.string().min(1).max(4096);

/** Error codes of the verbs that take a reference to a stored session. */
export const SESSION_REF_ERRORS = [
  "SESSION_NOT_FOUND",
  "NO_SESSIONS",
  "INVALID_SESSION_ID",
] as const satisfies readonly ErrorCode[];

/** Error codes of the verbs that read the file of a session to its end. */
export const SESSION_FILE_ERRORS = [
  "SESSION_CORRUPT",
  "SESSION_UNREADABLE",
  "SESSION_VERSION_UNSUPPORTED",
  "SESSION_PATH_IS_DIRECTORY",
] as const satisfies readonly ErrorCode[];

export const Timestamp = z.iso.datetime();

export const Count = z.int().min(0);

/** A count; null when a listing would have to read the whole file to count. */
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

/** A worker whose process runs, with a daemon or without. */
export const RunningWorker = z.object({ peer_id: z.string(), name: z.string(), pid: Count });

/** A command that a person may want next. */
export const NextStep = z.object({ command: z.string(), description: z.string() });

/** In a dry run, the paths that would change. */
export const WouldAffect = z.array(z.string()).optional().describe("In a dry run: absolute paths that would change.");

/** Output fields of the verbs that change files, sessions or the bus. */
export const changeFields = { effect: MutationEffect, would_affect: WouldAffect };

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

/** A page and section that say more, from the root of the installed package; of a skill, its file. */
export const SourceHint = z
  .string()
  .min(1)
  .describe("Page and section in the installed package, or file of a skill, with more about it.");

/** A command of the interactive session, as listings show it. */
export const SlashCommandEntry = z.object({ name: z.string(), source_hint: SourceHint, responsibility: z.string() });

/** A tool of the agent, as listings show it. */
export const ToolEntry = z.object({
  name: z.string(),
  source_hint: SourceHint,
  responsibility: z.string(),
  required_permission: z.string().describe("Weakest permission mode that allows the tool."),
  aliases: z.array(z.string()).describe("Other names of the tool."),
});

/** A command or tool that a prompt is about. */
export const RoutedMatch = z.object({
  kind: z.enum(["command", "tool"]),
  name: z.string(),
  score: z.number().min(0).max(1).describe("1 when the prompt is about nothing else."),
  source_hint: SourceHint,
});

/** The place of a daemon in a cluster. */
export const ClusterPlace = z
  .object({
    name: z.string(),
    machine: z.string(),
    durability_reason: z.string().describe("Why the durability is what it is."),
  })
  .describe("The cluster of the daemon; absent without one.");
