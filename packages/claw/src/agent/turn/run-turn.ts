import type { ContentBlock, SessionMessage, TurnStopReason } from "claw-contract";
import { blockText, ClawError } from "claw-contract";
import type { Compaction, Conversation } from "../../sessions/index.ts";
import { compacted } from "../../sessions/index.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, ToolOffer } from "../providers/provider.ts";
import { offerOf } from "../tools/create-tools.ts";
import type { AnsweredRequest } from "./cache-watch.ts";
import { findCacheBreak, lastAnswered, lastRequestSize, requestPrintOf, requestSize } from "./cache-watch.ts";
import { cutPoint, summaryMessage } from "./compact-conversation.ts";
import { estimateRequest } from "./estimate-request.ts";
import { makeCompaction, summaryNote } from "./make-compaction.ts";
import { maskEvents } from "./mask-events.ts";
import { addModelUsage, NO_USAGE } from "./spending.ts";
import { runCalls } from "./run-calls.ts";
import type { TurnConfig } from "./turn-config.ts";
import type { TurnEvent, TurnProgress } from "./turn-event.ts";

/** Input of a turn, and the functions that store its messages. */
export interface TurnContext {
  /** Id of the session, which hooks get too. */
  readonly sessionId: string;
  readonly conversation: Conversation;
  readonly prompt: string;
  /** Stores a message of the turn. Called in the order of the conversation. */
  readonly record: (message: SessionMessage) => void;
  /** Stores that a summary replaces the oldest messages. */
  readonly recordCompaction: (compaction: Compaction) => void;
}

export type Emit = (event: TurnEvent) => void;

/** How many messages stay when a provider says that the conversation does not fit; fewer at each attempt. */
const RECOVERY_STEPS = [4, 2, 1] as const;
/** How often Stop hooks may send the model back to work when the model is done. */
const MAX_STOP_BLOCKS = 3;

const isCall = (block: ContentBlock): block is ContentBlock & { type: "tool_use" } => block.type === "tool_use";

const userMessage = (text: string): SessionMessage => ({ role: "user", blocks: [{ type: "text", text }] });

export const newProgress = (): TurnProgress => ({
  message: "",
  iterations: 0,
  modelStopReason: null,
  compaction: null,
  cacheBreaks: [],
  lastRequestTokens: 0,
  usage: NO_USAGE,
});

class Turn {
  readonly #context: TurnContext;
  readonly #config: TurnConfig;
  readonly #emit: Emit;
  readonly #signal: AbortSignal;
  readonly #progress: TurnProgress;
  #conversation: Conversation;
  #answered: AnsweredRequest | undefined;
  #stopBlocks = 0;
  /** Why the model is no longer asked for summaries; null while the model may be asked. */
  #unasked: string | null = null;

  constructor(
    context: TurnContext,
    config: TurnConfig,
    progress: TurnProgress,
    watch: { emit: Emit; signal: AbortSignal },
  ) {
    this.#context = context;
    this.#config = config;
    this.#progress = progress;
    this.#emit = watch.emit;
    this.#signal = watch.signal;
    this.#conversation = context.conversation;
    this.#answered = lastAnswered(context.conversation.messages);
    progress.lastRequestTokens = lastRequestSize(context.conversation.messages);
  }

  async run(): Promise<TurnStopReason> {
    this.#add(userMessage(this.#config.redactor.redactText(this.#context.prompt)));
    for (;;) {
      const limit = this.#limitReached();
      if (limit !== undefined) return limit;
      await this.#compactIfLarge();
      const answer = await this.#ask();
      this.#signal.throwIfAborted();
      this.#take(answer);
      const calls = answer.blocks.filter(isCall);
      if (calls.length > 0) await this.#runTools(calls);
      else if (await this.#mayStop()) return "completed";
    }
  }

  #add(message: SessionMessage): void {
    this.#context.record(message);
    const { messages, answers, ...rest } = this.#conversation;
    const isAnswer = message.role === "assistant";
    this.#conversation = { ...rest, messages: [...messages, message], answers: answers + (isAnswer ? 1 : 0) };
  }

  /** The limit that the turn has reached, if any. Checked before a request spends anything. */
  #limitReached(): TurnStopReason | undefined {
    const { maxIterations, spending, costOf } = this.#config;
    if (maxIterations !== null && this.#progress.iterations >= maxIterations) return "max_turns_reached";
    return spending.affordableOutput(this.#estimate(), costOf) <= 0 ? "max_budget_reached" : undefined;
  }

  #offers(): readonly ToolOffer[] {
    return this.#config.tools.map(offerOf);
  }

  #estimate({ messages, summary }: Pick<Conversation, "messages" | "summary"> = this.#conversation): number {
    const fixed = [...this.#config.system, summary ?? "", JSON.stringify(this.#offers())];
    return estimateRequest({ messages, fixed, lastRequestTokens: this.#progress.lastRequestTokens });
  }

  async #compactIfLarge(): Promise<void> {
    const { thresholdTokens, keepMessages } = this.#config.compaction;
    if (this.#progress.lastRequestTokens >= thresholdTokens) await this.#compact(keepMessages);
  }

  /**
   * Why the model is not asked for a summary now; null when the model may be asked. The limit must leave room for the
   * summary and for the request after the summary.
   */
  #whyUnasked(): string | null {
    const { maxIterations } = this.#config;
    if (maxIterations !== null && this.#progress.iterations + 2 > maxIterations) {
      return "the limit of requests leaves no room for one";
    }
    return this.#unasked;
  }

  /** Replaces the oldest messages with a summary. Resolves with false when no message can be removed. */
  async #compact(keep: number): Promise<boolean> {
    const conversation = this.#conversation;
    const removable = cutPoint(conversation.messages, keep);
    if (removable === 0) return false;
    const rest = { messages: conversation.messages.slice(removable), summary: conversation.summary };
    // The size of the old conversation says nothing about the new one.
    this.#progress.lastRequestTokens = 0;
    const order = { conversation, keep, unasked: this.#whyUnasked(), reservedTokens: this.#estimate(rest) };
    if (order.unasked === null) this.#emit({ kind: "compacting" });
    const emit = (event: ModelEvent): void => this.#emit({ kind: "model", event });
    const made = await makeCompaction(order, this.#config, { emit, signal: this.#signal });
    if (made === undefined) return false;
    this.#takeCompaction(made);
    return true;
  }

  #takeCompaction(made: Compaction): void {
    const progress = this.#progress;
    const { removed, summary, kind: summaryKind, fallbackReason, asked } = made;
    // After a summary without the model, this turn does not ask the model for a summary again.
    this.#unasked ??= fallbackReason;
    this.#context.recordCompaction(made);
    this.#conversation = compacted(this.#conversation, removed, summary);
    if (asked !== null) {
      progress.iterations += 1;
      progress.usage = addModelUsage(progress.usage, asked.usage);
    }
    const removedMessages = removed + (progress.compaction?.removedMessages ?? 0);
    const notice = `Auto-compacted: removed ${removedMessages} messages to free context. ${summaryNote(made)}`;
    progress.compaction = { removedMessages, notice, summaryKind, fallbackReason };
    this.#emit({ kind: "compacted", removedMessages: removed, notice, summaryKind, fallbackReason });
  }

  #request(): ModelRequest {
    const { model, system, maxOutputTokens, spending, costOf } = this.#config;
    const { summary, messages, answers } = this.#conversation;
    return {
      answers,
      model,
      system,
      tools: this.#offers(),
      messages: summary === null ? messages : [summaryMessage(summary), ...messages],
      maxOutputTokens: Math.max(1, Math.min(maxOutputTokens, spending.affordableOutput(this.#estimate(), costOf))),
    };
  }

  /** Asks the model. When the conversation does not fit, compacts the conversation and asks again. */
  async #ask(): Promise<ModelAnswer> {
    for (let step = 0; ; step += 1) {
      try {
        return await this.#send(this.#request());
      } catch (error) {
        const isTooLong = error instanceof ClawError && error.code === "CONTEXT_WINDOW_EXCEEDED";
        if (!isTooLong || !(await this.#recover(step))) throw error;
      }
    }
  }

  /** Removes as few messages as possible. Resolves with false when no message can be removed. */
  async #recover(step: number): Promise<boolean> {
    for (const keep of RECOVERY_STEPS.slice(step)) if (await this.#compact(keep)) return true;
    return false;
  }

  async #send(request: ModelRequest): Promise<ModelAnswer> {
    const { provider, spending, costOf, now, redactor } = this.#config;
    const masked = maskEvents((event) => this.#emit({ kind: "model", event }), redactor);
    const answer = await provider.ask(request, masked.emit, this.#signal);
    masked.end();
    spending.add(answer.usage, costOf);
    const answered = {
      print: requestPrintOf(request),
      cacheReadTokens: answer.usage.cache_read_input_tokens,
      atMs: now(),
    };
    const found = findCacheBreak(this.#answered, answered);
    if (found !== undefined) this.#progress.cacheBreaks.push(found);
    this.#answered = answered;
    return answer;
  }

  #take({ blocks, stopReason, usage }: ModelAnswer): void {
    const { redactor, model } = this.#config;
    const progress = this.#progress;
    const shown = redactor.redactValue([...blocks]);
    progress.iterations += 1;
    progress.message = blockText(shown);
    progress.modelStopReason = stopReason;
    progress.lastRequestTokens = requestSize(usage);
    progress.usage = addModelUsage(progress.usage, usage);
    this.#add({
      role: "assistant",
      blocks: shown,
      usage: { ...usage },
      model,
      stop_reason: stopReason,
      timestamp_ms: this.#answered?.atMs ?? 0,
      request: this.#answered?.print ?? {},
    });
    this.#emit({ kind: "assistant", blocks: shown, stopReason, usage });
  }

  async #runTools(calls: readonly (ContentBlock & { type: "tool_use" })[]): Promise<void> {
    const results = await runCalls(calls, this.#config, this.#emit, this.#signal);
    this.#signal.throwIfAborted();
    this.#add({ role: "tool", blocks: results });
  }

  /**
   * Runs the Stop hooks. When a hook finds that the work is not done, the hook's reason becomes the next user message.
   */
  async #mayStop(): Promise<boolean> {
    const { hooks, hookFields, redactor } = this.#config;
    const fields = {
      ...hookFields,
      last_assistant_message: this.#progress.message,
      stop_hook_active: this.#stopBlocks > 0,
    };
    const verdict = await hooks.run({ event: "Stop", subject: "", fields }, this.#signal);
    this.#signal.throwIfAborted();
    for (const text of verdict.messages) this.#emit({ kind: "notice", text: redactor.redactText(text) });
    if (verdict.blocked === null || this.#stopBlocks >= MAX_STOP_BLOCKS) return true;
    this.#stopBlocks += 1;
    this.#add(userMessage(redactor.redactText(verdict.blocked)));
    return false;
  }
}

/**
 * Runs one turn: the prompt, and all requests and tool calls that follow. Resolves with the reason for the end. Rejects
 * with a ClawError when the model could not be asked, or with the signal's reason soon after an abort; `progress` then
 * shows how far the turn came. The caller decides whether the turn counts.
 */
export function runTurn(
  context: TurnContext,
  config: TurnConfig,
  progress: TurnProgress,
  watch: { readonly emit: Emit; readonly signal: AbortSignal },
): Promise<TurnStopReason> {
  return new Turn(context, config, progress, watch).run();
}
