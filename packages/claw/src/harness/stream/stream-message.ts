import type { HarnessId, JsonObject } from "claw-contract";
import type { RunUpdate, TurnEnd } from "./run-update.ts";

/** A line of `stream-json`: `system`, `assistant`, `user`, `result`, or an unknown event as `native`. */
export type StreamMessage = JsonObject & { readonly type: string };

/** Wraps a native event that has no stream-json shape. The event itself stays unchanged. */
export const nativeMessage = (harness: HarnessId, event: JsonObject): StreamMessage => ({
  type: "native",
  harness,
  event,
});

type Block = Readonly<Record<string, unknown>>;

const spoken = (role: "assistant" | "user", block: Block, agent: string | null): JsonObject & { type: string } => ({
  type: role,
  message: { role, content: [block] },
  parent_tool_use_id: agent,
});

const reported = (subtype: string, fields: Block): StreamMessage => ({ type: "system", subtype, ...fields });

function resultMessage({ failure, ...end }: TurnEnd): StreamMessage {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = end.usage ?? {};
  return {
    type: "result",
    subtype: failure === null ? "success" : "error_during_execution",
    is_error: failure !== null,
    ...(typeof failure?.error === "string" ? { result: failure.error } : {}),
    api_error_status: failure?.status ?? null,
    terminal_reason: end.terminalReason,
    stop_reason: end.stopReason,
    ...(end.numTurns === null ? {} : { num_turns: end.numTurns }),
    permission_denials: end.permissionDenials,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheCreationTokens,
    },
  };
}

/** The update in the shape of the stream-json contract; undefined for one that has no shape there. */
function messageOf(update: RunUpdate): StreamMessage | undefined {
  switch (update.kind) {
    case "session":
      return reported("init", { session_id: update.sessionId, model: update.model, apiKeySource: update.apiKeySource });
    case "text":
      return spoken("assistant", { type: "text", text: update.text }, update.agent);
    case "thinking":
      return spoken("assistant", { type: "thinking", thinking: update.text }, update.agent);
    case "tool-call": {
      const { id, name, input, agent } = update;
      return spoken("assistant", { type: "tool_use", id, name, input }, agent);
    }
    case "tool-result": {
      const { id, output, failed, agent } = update;
      return spoken("user", { type: "tool_result", tool_use_id: id, content: output, is_error: failed }, agent);
    }
    case "retry": {
      const { attempt, maxAttempts, delayMs, status, reason } = update;
      const fields = { max_retries: maxAttempts, retry_delay_ms: delayMs, error_status: status, error: reason };
      return reported("api_retry", { attempt, ...fields });
    }
    case "permission-denied":
      return reported("permission_denied", { tool_name: update.tool, tool_use_id: update.id });
    case "notice":
      return reported("informational", { content: update.text });
    case "turn-end":
      return resultMessage(update);
    case "message":
    case "text-delta":
    case "turn-started":
    case "task":
    case "usage":
    case "request":
    case "limit":
    case "failure":
    case "model":
    case "warning":
      return undefined;
  }
}

/** What `stream-json` prints for the updates of one event. */
export const messagesOf = (updates: readonly RunUpdate[]): readonly StreamMessage[] =>
  updates.flatMap((update) => messageOf(update) ?? []);
