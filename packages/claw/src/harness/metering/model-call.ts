import type { JsonObject, PriceOverrides } from "claw-contract";
import { objectOf, costOf } from "claw-contract";
import { looseCountOf } from "../stream/loose-values.ts";

/**
 * Tokens of one or several calls of a model. `input` excludes tokens read from a cache and tokens written to a cache.
 */
export interface CallTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWritten: number;
  /** The part of `cacheWritten` that stays in the cache for an hour. */
  readonly cacheHour: number;
}

/** A call of a model, with the tokens used. */
export interface ModelCall {
  /** The same id in every source that reports the call. */
  readonly id: string;
  /** The conversation it belongs to: the agent's own, or a sub-agent's. */
  readonly thread: string;
  /** Null where the source does not name it. */
  readonly model: string | null;
  readonly tokens: CallTokens;
  /** False while the answer is still being written: its output is not known. */
  readonly isFinal: boolean;
  /** The source of the call, for agents with two sources whose ids may differ; absent where ids always agree. */
  readonly via?: CallSource;
}

/** `record`: written for each call. `count`: told for a whole thread. */
export type CallSource = "record" | "count";

/** What a source tells of calls. */
export type CallFact =
  | { readonly kind: "call"; readonly call: ModelCall }
  /** A model was asked. `id` names the question where the source does. */
  | { readonly kind: "asked"; readonly thread: string; readonly id: string }
  /** A question got its answer, or will get none and costs nothing. Without an id, every question of the thread. */
  | { readonly kind: "settled"; readonly thread: string; readonly id: string | null }
  /** The open questions of the thread were cut off: no answer comes, and their token usage is unknown. */
  | { readonly kind: "cut"; readonly thread: string }
  /** The model that a conversation uses from here on. */
  | { readonly kind: "model"; readonly thread: string; readonly model: string }
  /** The agent's totals when it last ended in good order. The agent's next process may continue from these totals. */
  | { readonly kind: "carried"; readonly total: AgentTotal };

/** The agent's own total so far, sub-agents included. */
export interface AgentTotal {
  readonly tokens: CallTokens;
  /** Null where the agent does not tell the cost. */
  readonly costUsd: number | null;
}

/**
 * Thread of the main conversation in Claude Code's stream. In Claude Code's files the main thread has an empty name.
 */
export const STREAM_THREAD = "stream:";

export const NO_TOKENS: CallTokens = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0, cacheHour: 0 };

export const addTokens = (a: CallTokens, b: CallTokens): CallTokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWritten: a.cacheWritten + b.cacheWritten,
  cacheHour: a.cacheHour + b.cacheHour,
});

const most = (a: number, b: number): number => Math.max(a, b);

/** The larger of two counts of the same calls. */
export const largerTokens = (a: CallTokens, b: CallTokens): CallTokens => ({
  input: most(a.input, b.input),
  output: most(a.output, b.output),
  cacheRead: most(a.cacheRead, b.cacheRead),
  cacheWritten: most(a.cacheWritten, b.cacheWritten),
  cacheHour: most(a.cacheHour, b.cacheHour),
});

/** The first count minus the second count, never below zero. */
export const lessTokens = (all: CallTokens, less: CallTokens): CallTokens => ({
  input: most(0, all.input - less.input),
  output: most(0, all.output - less.output),
  cacheRead: most(0, all.cacheRead - less.cacheRead),
  cacheWritten: most(0, all.cacheWritten - less.cacheWritten),
  cacheHour: most(0, all.cacheHour - less.cacheHour),
});

/** All input tokens, including cache reads and cache writes. */
export const tokensIn = ({ input, cacheRead, cacheWritten }: CallTokens): number => input + cacheRead + cacheWritten;

/** All input tokens, including the cache, and all output tokens. */
export const allTokens = (tokens: CallTokens): number => tokensIn(tokens) + tokens.output;

export const NO_CALLS: readonly CallFact[] = [];

/** Tokens as Anthropic's API tells them. */
export function anthropicTokens(usage: JsonObject): CallTokens {
  return {
    input: looseCountOf(usage["input_tokens"]),
    output: looseCountOf(usage["output_tokens"]),
    cacheRead: looseCountOf(usage["cache_read_input_tokens"]),
    cacheWritten: looseCountOf(usage["cache_creation_input_tokens"]),
    cacheHour: looseCountOf(objectOf(usage["cache_creation"])["ephemeral_1h_input_tokens"]),
  };
}

/** What one call cost in dollars, or undefined when the price of its model is not known. */
export const callCost = (model: string, tokens: CallTokens, prices: PriceOverrides): number | undefined =>
  costOf(
    model,
    {
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      cache_read_input_tokens: tokens.cacheRead,
      cache_creation_input_tokens: tokens.cacheWritten,
      cache_creation_1h_input_tokens: tokens.cacheHour,
    },
    prices,
  );
