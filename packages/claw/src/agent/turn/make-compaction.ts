import type { Compaction, Conversation } from "../../sessions/index.ts";
import { cutPoint, summariseConversation } from "./compact-conversation.ts";
import type { SummaryConfig, SummaryWatch } from "./model-summary.ts";
import { askForSummary } from "./model-summary.ts";

/** The conversation to compact, and the way to do so. */
export interface CompactionOrder {
  readonly conversation: Conversation;
  /** How many of the newest messages stay. */
  readonly keep: number;
  /** Why the model must not be asked for the summary; null when the model may be asked. */
  readonly unasked: string | null;
  /** Tokens of the request after the compaction, which the budget must pay for too. */
  readonly reservedTokens: number;
}

/** A sentence for people about the author of the summary. */
export function summaryNote({ kind, fallbackReason }: Pick<Compaction, "kind" | "fallbackReason">): string {
  if (kind === "model") return "The model wrote their summary.";
  return `Their summary was made without the model: ${fallbackReason ?? "it was not asked"}.`;
}

/**
 * The summary that replaces the oldest messages. The model writes the summary; where the model may not or cannot, the
 * summary is mechanical. Resolves with undefined when no message can be removed. Rejects with the signal's reason.
 */
export async function makeCompaction(
  { conversation, keep, unasked, reservedTokens }: CompactionOrder,
  config: SummaryConfig,
  watch: SummaryWatch,
): Promise<Compaction | undefined> {
  const { summary: earlier, messages } = conversation;
  const removed = cutPoint(messages, keep);
  if (removed === 0) return undefined;
  const going = messages.slice(0, removed);
  const written =
    unasked === null
      ? await askForSummary({ summary: earlier, messages: going }, reservedTokens, config, watch)
      : ({ kind: "none", why: unasked, usage: null } as const);
  const asked = written.usage === null ? null : { model: config.model, usage: { ...written.usage } };
  if (written.kind === "written") {
    return { removed, summary: written.summary, kind: "model", fallbackReason: null, asked };
  }
  return {
    removed,
    summary: summariseConversation(earlier, going),
    kind: "mechanical",
    fallbackReason: written.why,
    asked,
  };
}
