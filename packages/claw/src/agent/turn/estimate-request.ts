import type { SessionMessage } from "@claw/contract";
import { estimateTokens } from "../../sessions/index.ts";

export interface RequestParts {
  readonly messages: readonly SessionMessage[];
  /** What goes with every request besides the messages: system prompt, summary, tools. */
  readonly fixed: readonly string[];
  /** Tokens of the last request with its answer; 0 when that says nothing about this conversation. */
  readonly lastRequestTokens: number;
}

/**
 * Tokens that the next request will about have: those of the last one, and of the messages since its answer. Where the
 * last one says nothing, as behind a compaction, everything that is sent is counted.
 */
export function estimateRequest({ messages, fixed, lastRequestTokens }: RequestParts): number {
  const answered = messages.findLastIndex(({ usage }) => usage !== undefined);
  const isKnown = answered >= 0 && lastRequestTokens > 0;
  const counted = isKnown ? messages.slice(answered + 1) : messages;
  const tokens = counted.reduce((sum, message) => sum + estimateTokens(message), 0);
  if (isKnown) return lastRequestTokens + tokens;
  return tokens + estimateTokens({ role: "user", blocks: [{ type: "text", text: fixed.join("\n") }] });
}
