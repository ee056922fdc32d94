/** Tokens of one call of a model, or of several. `input` holds neither what was read from a cache nor what was written to it. */
export interface CallTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWritten: number;
  /** How many of those that were written stay in the cache for an hour. */
  readonly cacheHour: number;
}

/** One call of a model, with what it used. */
export interface ModelCall {
  /** The same in every source that tells of the call. */
  readonly id: string;
  /** The conversation it belongs to: the agent's own, or a sub-agent's. */
  readonly thread: string;
  /** Null where the source does not name it. */
  readonly model: string | null;
  readonly tokens: CallTokens;
  /** False while the answer is still being written: its output is not known. */
  readonly isFinal: boolean;
  /** Which of two sources tells of it whose ids may differ; absent where ids are always the same. */
  readonly via?: CallSource;
}

/** A record is written for each call; a count is told of a whole thread. */
export type CallSource = "record" | "count";

/** What a source tells of calls. */
export type CallFact =
  | { readonly kind: "call"; readonly call: ModelCall }
  /** A model was asked. `id` names the question where the source does. */
  | { readonly kind: "asked"; readonly thread: string; readonly id: string }
  /** A question got its answer, or will get none and costs nothing. Without an id, every question of the thread. */
  | { readonly kind: "settled"; readonly thread: string; readonly id: string | null }
  /** Questions of the thread that are open get no answer: they were cut off, and nobody knows what they used. */
  | { readonly kind: "cut"; readonly thread: string }
  /** The model that a conversation uses from here on. */
  | { readonly kind: "model"; readonly thread: string; readonly model: string }
  /** What the agent had counted when it last ended in good order; its next process may go on from there. */
  | { readonly kind: "carried"; readonly total: AgentTotal };

/** What an agent itself says it has used so far, sub-agents included. */
export interface AgentTotal {
  readonly tokens: CallTokens;
  /** Null where it does not say. */
  readonly costUsd: number | null;
}

/** What Claude Code's stream calls the conversation itself, whose files have an empty name for it. */
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

/** What is left of a count without another; never below nothing. */
export const lessTokens = (all: CallTokens, less: CallTokens): CallTokens => ({
  input: most(0, all.input - less.input),
  output: most(0, all.output - less.output),
  cacheRead: most(0, all.cacheRead - less.cacheRead),
  cacheWritten: most(0, all.cacheWritten - less.cacheWritten),
  cacheHour: most(0, all.cacheHour - less.cacheHour),
});

/** Everything that a model took in. */
export const tokensIn = ({ input, cacheRead, cacheWritten }: CallTokens): number => input + cacheRead + cacheWritten;

/** Everything that a model took in and gave out. */
export const allTokens = (tokens: CallTokens): number => tokensIn(tokens) + tokens.output;
