import * as z from "zod";
import { PermissionModeChoice } from "../settings/settings.ts";
import { TURN_STOP_REASONS } from "./session-words.ts";
import { Count } from "../verb/output-parts.ts";

export const StopReason = z.enum(TURN_STOP_REASONS);

/** Tokens that model calls used, as counted by the provider. */
export const Usage = z.object({
  input_tokens: Count.describe("Not counting what the prompt cache served or took in."),
  output_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_read_input_tokens: Count,
});

export const ToolUse = z.object({
  id: z.string(),
  name: z.string(),
  input: z.string().describe("The input as JSON text, as the model wrote it."),
  input_json: z.record(z.string(), z.unknown()).nullable().describe("The same as an object; null when it is none."),
});

export const ToolResult = z.object({
  tool_use_id: z.string(),
  tool_name: z.string(),
  output: z.string(),
  is_error: z.boolean(),
});

export const PromptCacheEvent = z.object({
  unexpected: z.boolean().describe("Whether nothing we know of explains it."),
  reason: z.string(),
  previous_cache_read_input_tokens: Count,
  current_cache_read_input_tokens: Count,
  token_drop: Count,
});

export const PermissionDenial = z.object({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: z.unknown(),
  reason: z.string(),
});

/** One turn inside a larger answer, in the form of documents 000 and 001. */
export const TurnSummary = z.object({
  prompt: z.string(),
  output: z.string(),
  stop_reason: StopReason,
  cancel_observed: z.boolean().describe("Whether the turn saw that it was to stop, and ended without counting."),
});

/** Flags of every verb that asks a model. */
export const agentFlags = {
  model: z
    .string()
    .optional()
    .describe("Model to ask: an id, an alias, provider/id, or scripted[:FILE].")
    .meta({ error: "INVALID_MODEL" }),
  permissionMode: PermissionModeChoice.optional()
    .describe("What tools may do without asking.")
    .meta({ error: "INVALID_PERMISSION_MODE" }),
  allowedTools: z
    .array(z.string())
    .optional()
    .describe("Offer these tools only; names or aliases, separated by commas.")
    .meta({ aliases: ["allowedTools"] }),
  budgetUsd: z.number().min(0).optional().describe("Stop before the run could cost more than this."),
  appendSystemPrompt: z.string().optional().describe("Text to add to the system prompt."),
  mcpConfig: z
    .array(z.string())
    .optional()
    .describe("Further MCP servers: a file, or JSON with mcpServers.")
    .meta({ whole: true }),
};

/** Codes of every verb that asks a model. */
export const AGENT_ERRORS = [
  "CONFIG_INVALID",
  "CONTEXT_WINDOW_EXCEEDED",
  "INVALID_MODEL",
  "INVALID_PERMISSION_MODE",
  "INVALID_SESSION_ID",
  "INVALID_TOOL_NAME",
  "MCP_CONFIG_INVALID",
  "MCP_SERVER_UNAVAILABLE",
  "MISSING_PROMPT",
  "MODEL_SCRIPT_INVALID",
  "MODEL_SCRIPT_NOT_FOUND",
  "PAYMENT_REQUIRED",
  "PERMISSION_DENIED",
  "RATE_LIMIT_EXCEEDED",
  "REQUEST_TOO_LARGE",
  "RETRIES_EXHAUSTED",
  "SESSION_LOCKED",
  "TOKEN_EXPIRED",
  "TOKEN_INVALID",
  "TOKEN_MISSING",
  "UPSTREAM_REJECTED",
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_UNREACHABLE",
] as const;

/** Codes of the verbs that continue a stored session. */
export const RESUME_ERRORS = [
  "NO_SESSIONS",
  "SESSION_CORRUPT",
  "SESSION_NOT_FOUND",
  "SESSION_PATH_IS_DIRECTORY",
  "SESSION_UNREADABLE",
  "SESSION_VERSION_UNSUPPORTED",
] as const;
