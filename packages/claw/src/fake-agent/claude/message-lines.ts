import type { JsonObject } from "claw-contract";
import type { SubAgent } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { origin, sessionTimestamp } from "./claude-session.ts";

/** An answer of the model that is being shown, block by block. */
export interface ModelMessage {
  readonly id: string;
  readonly requestId: string;
}

export const nextMessage = (session: ClaudeSession): ModelMessage => {
  const number = session.next();
  return { id: `msg_fake_${number}`, requestId: `req_fake_${number}` };
};

const startUsage = ({ usage }: ClaudeSession): JsonObject => ({
  input_tokens: usage.input_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
  service_tier: "standard",
});

const apiMessage = (session: ClaudeSession, message: ModelMessage, content: readonly JsonObject[]): JsonObject => ({
  id: message.id,
  type: "message",
  role: "assistant",
  model: session.model,
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: startUsage(session),
});

export interface BlockOptions {
  readonly agent?: SubAgent | undefined;
  readonly more?: JsonObject;
}

/** One block of an answer. */
export function assistantLine(
  session: ClaudeSession,
  message: ModelMessage,
  block: JsonObject,
  { agent, more }: BlockOptions = {},
): JsonObject {
  return {
    type: "assistant",
    message: { ...apiMessage(session, message, [block]), context_management: null },
    ...origin(agent),
    ...session.stamp(),
    timestamp: sessionTimestamp(session),
    request_id: message.requestId,
    ...more,
  };
}

/** What stands in the place of the user: results of tools, notes of the CLI. */
export function userLine(
  session: ClaudeSession,
  content: readonly JsonObject[],
  { agent, more }: BlockOptions = {},
): JsonObject {
  return {
    type: "user",
    message: { role: "user", content },
    ...origin(agent),
    ...session.stamp(),
    timestamp: sessionTimestamp(session),
    ...more,
  };
}

const streamLine = (session: ClaudeSession, message: ModelMessage, event: JsonObject): JsonObject => ({
  type: "stream_event",
  event,
  ...session.stamp(),
  parent_tool_use_id: null,
  api_message_id: message.id,
});

/** The lines of `--include-partial-messages` around a text: lines before the whole block, and lines after the block. */
export function partialLines(
  session: ClaudeSession,
  message: ModelMessage,
  text: string,
): { readonly before: readonly JsonObject[]; readonly after: readonly JsonObject[] } {
  const line = (event: JsonObject): JsonObject => streamLine(session, message, event);
  const start = line({ type: "message_start", message: apiMessage(session, message, []) });
  const delta = { stop_reason: "end_turn", stop_sequence: null };
  const usage = { ...startUsage(session), output_tokens: session.usage.output_tokens };
  return {
    before: [
      { type: "system", subtype: "status", status: "requesting", ...session.stamp() },
      { ...start, ttft_ms: 1, thinking_display: "updates" },
      line({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      line({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    ],
    after: [
      line({ type: "content_block_stop", index: 0 }),
      line({ type: "message_delta", delta, usage }),
      line({ type: "message_stop" }),
    ],
  };
}
