import type { SessionMessage } from "claw-contract";
import { estimateTokens } from "../../sessions/index.ts";

export interface RequestParts {
  readonly messages: readonly SessionMessage[];
  /** Texts that every request holds besides the messages: system prompt, summary, tools. */
  readonly fixed: readonly string[];
  /** Tokens of the last request with its answer; 0 when the last request does not match this conversation. */
  readonly lastRequestTokens: number;
}

/**
 * Estimates the tokens of the next request: the tokens of the last request with its answer, and of all messages after
 * the answer. When no last request can serve, as after a compaction, all texts that are sent are counted.
 */
export function estimateRequest({ messages, fixed, lastRequestTokens }: RequestParts): number {
  const answered = messages.findLastIndex(({ usage }) => usage !== undefined);
  const isKnown = answered >= 0 && lastRequestTokens > 0;
  const counted = isKnown ? messages.slice(answered + 1) : messages;
  const tokens = counted.reduce((sum, message) => sum + estimateTokens(message), 0);
  if (isKnown) return lastRequestTokens + tokens;
  return tokens + estimateTokens({ role: "user", blocks: [{ type: "text", text: fixed.join("\n") }] });
}
