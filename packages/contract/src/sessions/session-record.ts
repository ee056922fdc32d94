import * as z from "zod";

const Tokens = z.int().min(0);

export const TokenUsage = z.looseObject({
  input_tokens: Tokens.optional(),
  output_tokens: Tokens.optional(),
  cache_creation_input_tokens: Tokens.optional(),
  cache_read_input_tokens: Tokens.optional(),
});

export const ContentBlock = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().optional() }),
  z.looseObject({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.string() }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    tool_name: z.string(),
    output: z.string(),
    is_error: z.boolean(),
  }),
]);

export const SessionMessage = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  blocks: z.array(ContentBlock),
  usage: TokenUsage.optional(),
  model: z.string().optional().describe("The model that wrote it."),
  stop_reason: z.string().nullable().optional().describe("Why the model stopped, in the words of its API."),
  request: z
    .record(z.string(), z.string())
    .optional()
    .describe("Short hashes of the parts of the request it answers, to tell why a prompt cache was missed."),
  timestamp_ms: Tokens.optional().describe("When it was said."),
});

/** Totals of all committed messages of a session. Each commit stores the totals, so readers need not count messages. */
export const SessionTotals = z.looseObject({
  messages: Tokens,
  prompts: Tokens,
  turns: Tokens,
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_creation_input_tokens: Tokens.optional(),
  cache_read_input_tokens: Tokens.optional(),
  latest_total: Tokens.describe("Input and output tokens of the last model call."),
  estimated_tokens: Tokens.describe("Estimated size of the conversation."),
});

export const SummaryKind = z
  .enum(["model", "mechanical"])
  .describe("Whether the model wrote the summary, or claw made it from the messages itself.");

export const FallbackReason = z.string().describe("Why the model did not write the summary.");

const TurnId = z.string().min(1).describe("Turn the record belongs to; it counts once that turn is committed.");

export const SessionMeta = z.looseObject({
  type: z.literal("session_meta"),
  version: z.int(),
  session_id: z.string(),
  created_at_ms: Tokens,
  workspace_root: z.string().optional(),
  model: z.string().optional(),
  fork: z.looseObject({ parent_session_id: z.string(), branch_name: z.string().optional() }).optional(),
});

/** One line of a session file. Unknown fields are kept; lines of an unknown type are passed over. */
export const SessionRecord = z.discriminatedUnion("type", [
  SessionMeta,
  z.looseObject({
    type: z.literal("message"),
    turn_id: TurnId.optional(),
    timestamp_ms: Tokens.optional(),
    message: SessionMessage,
  }),
  z.looseObject({
    type: z.literal("compaction"),
    turn_id: TurnId.optional(),
    count: Tokens.describe("How many compactions the session has had, this one included."),
    removed_message_count: Tokens.describe("How many of the oldest messages its summary stands for from now on."),
    summary: z.string(),
    summary_kind: SummaryKind.optional(),
    fallback_reason: FallbackReason.optional(),
    model: z.string().optional().describe("The model that was asked for the summary."),
    usage: TokenUsage.optional().describe("What asking the model for the summary used."),
  }),
  z.looseObject({ type: z.literal("prompt_history"), timestamp_ms: Tokens, text: z.string() }),
  z.looseObject({ type: z.literal("turn_commit"), turn_id: TurnId, timestamp_ms: Tokens, totals: SessionTotals }),
]);

/**
 * What a reader asks of the records of a session file, by type. It asks for less than what claw writes, because other
 * programs write session files too.
 */
export const READABLE_RECORDS = {
  session_meta: SessionMeta.pick({ version: true }),
  message: z.looseObject({
    message: SessionMessage.pick({ role: true, usage: true }).extend({
      blocks: z.array(z.looseObject({ type: z.string() })),
    }),
  }),
  compaction: z.looseObject({ summary: z.string(), usage: TokenUsage.optional() }),
  prompt_history: z.looseObject({ text: z.string() }),
  turn_commit: z.looseObject({
    turn_id: z.string(),
    totals: SessionTotals.omit({ cache_creation_input_tokens: true, cache_read_input_tokens: true }),
  }),
} as const satisfies Record<SessionRecord["type"], z.ZodObject>;

export type SummaryKind = z.infer<typeof SummaryKind>;
export type ContentBlock = z.infer<typeof ContentBlock>;
export type SessionMessage = z.infer<typeof SessionMessage>;
export type SessionTotals = z.infer<typeof SessionTotals>;
export type SessionMeta = z.infer<typeof SessionMeta>;
export type SessionRecord = z.infer<typeof SessionRecord>;
