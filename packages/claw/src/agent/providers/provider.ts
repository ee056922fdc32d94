import type { ContentBlock, SessionMessage } from "claw-contract";

/** A tool as offered to the model. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the tool's input: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One request to a model, in no provider's own format. */
export interface ModelRequest {
  /** Set when the request is not the next step of a conversation: `summary` asks for a summary. */
  readonly purpose?: "summary";
  /** Model id exactly as the provider spells it. */
  readonly model: string;
  /** The parts of the system prompt, the most stable first. */
  readonly system: readonly string[];
  /** The conversation as a session stores it: user, assistant and tool messages, the oldest first. */
  readonly messages: readonly SessionMessage[];
  /** Number of answers in the conversation, including answers that a summary has replaced in `messages`. */
  readonly answers?: number;
  readonly tools: readonly ToolOffer[];
  readonly maxOutputTokens: number;
}

/** Events of one request while the model answers, in order. */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** A tool call has begun; its input is still being written. */
  | { readonly kind: "tool-call"; readonly id: string; readonly name: string }
  /** More of the input of a call, as JSON text. */
  | { readonly kind: "tool-input"; readonly id: string; readonly text: string }
  /** The request failed and is sent again; all text and calls since the last send are void. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly reason: string;
    };

/**
 * Tokens of one request, as the provider counts them. `input_tokens` excludes tokens read from or written to the cache.
 */
export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

export interface ModelAnswer {
  /** Text, thinking and tool calls in the order of the answer. The input of a call is the unchanged JSON text. */
  readonly blocks: readonly ContentBlock[];
  /** Why the model stopped, in the words of Anthropic's API: end_turn, tool_use, max_tokens, refusal, … */
  readonly stopReason: string | null;
  readonly usage: ModelUsage;
}

/** A model's API. */
export interface Provider {
  readonly id: string;
  /** Loads code and files for the first request ahead of time. Rejects as that request would. */
  warm?(model: string): Promise<void>;
  /**
   * Sends one request and resolves with the whole answer. `emit` gets each part as it arrives. Rejects with a ClawError
   * of the catalogue, or with the signal's reason after an abort; then nothing more is emitted.
   */
  ask(request: ModelRequest, emit: (event: ModelEvent) => void, signal: AbortSignal): Promise<ModelAnswer>;
}
