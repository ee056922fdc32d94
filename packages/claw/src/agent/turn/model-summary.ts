import { blockText, ClawError, cutChars, LIMITS } from "claw-contract";
import type { Conversation } from "../../sessions/index.ts";
import { estimateTokens } from "../../sessions/index.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, ModelUsage } from "../providers/provider.ts";
import { SUMMARY_SYSTEM, summaryPrompt } from "./summary-prompt.ts";
import type { TurnConfig } from "./turn-config.ts";

/** The part of a turn's configuration that a request for a summary needs. */
export type SummaryConfig = Pick<
  TurnConfig,
  "model" | "provider" | "maxOutputTokens" | "spending" | "costOf" | "redactor"
>;

/** Result of asking a model for a summary. The usage is null when no answer came. */
export type ModelSummary =
  | { readonly kind: "written"; readonly summary: string; readonly usage: ModelUsage }
  | { readonly kind: "none"; readonly why: string; readonly usage: ModelUsage | null };

export interface SummaryWatch {
  /** Gets an event when the request is sent again. */
  readonly emit: (event: ModelEvent) => void;
  readonly signal: AbortSignal;
}

/** Characters of the user's last request that stand above the summary, word for word. */
const REQUEST_CHARS = 2000;

/** The user's last request in these messages, word for word, so that no summary can change the request. */
function lastRequest({ messages }: Pick<Conversation, "messages">): string {
  const text = blockText(messages.findLast(({ role }) => role === "user")?.blocks ?? []).trim();
  if (text === "") return "";
  return `The user's last request in it, word for word:\n${cutChars(text, REQUEST_CHARS)}\n\n`;
}

function requestOf(said: Pick<Conversation, "summary" | "messages">, config: SummaryConfig): ModelRequest {
  const text = config.redactor.redactText(summaryPrompt(said.summary, said.messages));
  return {
    purpose: "summary",
    model: config.model,
    system: [SUMMARY_SYSTEM],
    tools: [],
    messages: [{ role: "user", blocks: [{ type: "text", text }] }],
    maxOutputTokens: Math.min(config.maxOutputTokens, LIMITS.compactionSummaryTokens),
  };
}

/** Whether the budget pays for the summary and for the request after the summary. */
function isAffordable(request: ModelRequest, reservedTokens: number, { spending, costOf }: SummaryConfig): boolean {
  const system = { role: "system" as const, blocks: [{ type: "text" as const, text: request.system.join("\n") }] };
  const tokens = [system, ...request.messages].reduce((sum, message) => sum + estimateTokens(message), 0);
  return spending.affordableOutput(tokens + reservedTokens, costOf) > request.maxOutputTokens;
}

function read(
  { blocks, stopReason, usage }: ModelAnswer,
  said: Pick<Conversation, "messages">,
  { redactor }: SummaryConfig,
): ModelSummary {
  const text = redactor.redactText(blockText(blocks)).trim();
  if (stopReason === "refusal") return { kind: "none", why: "the model refused", usage };
  if (text === "") return { kind: "none", why: "the model wrote no text", usage };
  const whole = lastRequest(said) + text;
  const most = LIMITS.compactionSummaryChars;
  return { kind: "written", summary: cutChars(whole, most, most - 1), usage };
}

/**
 * Asks the model for a summary of messages, within the budget that remains after `reservedTokens` are set aside. Adds
 * the usage to the spending. Without a summary, resolves with the reason: the budget is too small, the request fails,
 * or the answer has no text. Rejects with the signal's reason.
 */
export async function askForSummary(
  said: Pick<Conversation, "summary" | "messages">,
  reservedTokens: number,
  config: SummaryConfig,
  { emit, signal }: SummaryWatch,
): Promise<ModelSummary> {
  const request = requestOf(said, config);
  if (!isAffordable(request, reservedTokens, config)) {
    return { kind: "none", why: "the budget leaves no room for one", usage: null };
  }
  try {
    const quietly = (event: ModelEvent): void => void (event.kind === "retry" && emit(event));
    const answer = await config.provider.ask(request, quietly, signal);
    config.spending.add(answer.usage, config.costOf);
    signal.throwIfAborted();
    return read(answer, said, config);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ClawError)) throw error;
    return { kind: "none", why: config.redactor.redactText(error.message), usage: null };
  }
}
