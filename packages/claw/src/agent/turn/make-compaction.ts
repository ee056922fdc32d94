import type { Compaction, Conversation } from "../../sessions/index.ts";
import { cutPoint, summarise } from "./compact-conversation.ts";
import type { SummaryConfig, SummaryWatch } from "./model-summary.ts";
import { askForSummary } from "./model-summary.ts";

/** What is to be made smaller, and how. */
export interface CompactionOrder {
  readonly conversation: Conversation;
  /** How many of the newest messages stay. */
  readonly keep: number;
  /** Why the model is not to be asked for the summary; null when it may be. */
  readonly unasked: string | null;
  /** Tokens of the request that follows, which the budget has to pay for too. */
  readonly reservedTokens: number;
}

/** How a compaction is told in a sentence. */
export function summaryNote({ kind, fallbackReason }: Pick<Compaction, "kind" | "fallbackReason">): string {
  if (kind === "model") return "The model wrote their summary.";
  return `Their summary was made without the model: ${fallbackReason ?? "it was not asked"}.`;
}

/**
 * The summary that takes the place of the oldest messages: the model's, or a mechanical one where the model may not or
 * cannot write it. Resolves with undefined when nothing can go. Rejects with the signal's reason.
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
  return { removed, summary: summarise(earlier, going), kind: "mechanical", fallbackReason: written.why, asked };
}
