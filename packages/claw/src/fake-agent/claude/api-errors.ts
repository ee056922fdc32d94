import type { JsonObject } from "claw-contract";
import type { FailStep } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { sessionTimestamp } from "./claude-session.ts";

/** A refusal of the model in Claude Code's words. */
export interface ApiError {
  readonly status: number;
  /** Its own word for the kind. */
  readonly error: string;
  /** The API's word. */
  readonly type: string;
  readonly text: string;
}

const STATUS_ERRORS: Readonly<Record<number, readonly [error: string, type: string, text: string]>> = {
  400: ["invalid_request", "invalid_request_error", "API Error: 400 Bad request"],
  401: ["authentication_failed", "authentication_error", "Invalid API key · Fix external API key"],
  403: ["authentication_failed", "permission_error", "API Error: 403 Forbidden"],
  404: ["model_not_found", "not_found_error", "There's an issue with the selected model. It may not exist."],
  429: [
    "rate_limit",
    "rate_limit_error",
    "API Error: Request rejected (429) · Rate limit exceeded for your organization",
  ],
  529: ["overloaded", "overloaded_error", "API Error: Repeated 529 Overloaded errors"],
};

export function apiError({ status, message }: Pick<FailStep, "status" | "message">): ApiError {
  const [error, type, text] = STATUS_ERRORS[status] ?? [
    "server_error",
    "api_error",
    `API Error: ${status} Internal server error`,
  ];
  return { status, error, type, text: message ?? text };
}

/** Claude Code's word for why it tries again. */
export const retryError = (status: number | null): string => (status === null ? "unknown" : apiError({ status }).error);

/** Says when a usage limit is over. */
export function limitLine(session: ClaudeSession, resetsInMs: number): JsonObject {
  const resetsAt = Math.ceil((session.stage.now().getTime() + resetsInMs) / 1000);
  const rate_limit_info = { status: "rejected", resetsAt, rateLimitType: "five_hour", isUsingOverage: false };
  return { type: "rate_limit_event", rate_limit_info, ...session.stamp() };
}

/** The message that reports the refusal in place of an answer. */
export function apiErrorLine(session: ClaudeSession, { status, error, type, text }: ApiError): JsonObject {
  return {
    type: "assistant",
    message: {
      diagnostics: null,
      id: session.stage.uuid(),
      container: null,
      model: "<synthetic>",
      role: "assistant",
      stop_details: null,
      stop_reason: "stop_sequence",
      stop_sequence: "",
      type: "message",
      usage: EMPTY_USAGE,
      content: [{ type: "text", text }],
      context_management: null,
    },
    parent_tool_use_id: null,
    ...session.stamp(),
    timestamp: sessionTimestamp(session),
    error,
    request_id: `req_fake_${session.next()}`,
    is_api_error_message: true,
    api_error_status: status,
    api_error_type: type,
  };
}

const EMPTY_USAGE = {
  output_tokens_details: null,
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: null,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: null,
  iterations: null,
  speed: null,
  fallback_credit: null,
};
