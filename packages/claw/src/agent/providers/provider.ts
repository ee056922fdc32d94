import type { ContentBlock, SessionMessage } from "@claw/contract";

/** A tool as the model sees it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What is sent to a model. */
export interface ModelRequest {
  /** What it is sent for, where it is not the next step of a conversation. */
  readonly purpose?: "summary";
  /** As the provider knows it, unmangled. */
  readonly model: string;
  /** The parts of the system prompt, the most stable first. */
  readonly system: readonly string[];
  /** The conversation as a session stores it: user, assistant and tool messages, the oldest first. */
  readonly messages: readonly SessionMessage[];
  /** How many answers were given in the conversation, those included that its messages leave out. */
  readonly answers?: number;
  readonly tools: readonly ToolOffer[];
  readonly maxOutputTokens: number;
}

/** What a model says while it answers, in order. */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** A tool call has begun; its input is still being written. */
  | { readonly kind: "tool-call"; readonly id: string; readonly name: string }
  /** More of the input of a call, as JSON text. */
  | { readonly kind: "tool-input"; readonly id: string; readonly text: string }
  /** The request failed and is sent again; what was said since it was sent is void. */
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly reason: string;
    };

/** What a request used, as the provider counts it. Input does not count what came from or went into the cache. */
export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

export interface ModelAnswer {
  /** Text, thinking and tool calls in the order they were said. The input of a call is its JSON text as it came. */
  readonly blocks: readonly ContentBlock[];
  /** Why the model stopped, in the words of Anthropic's API: end_turn, tool_use, max_tokens, refusal, … */
  readonly stopReason: string | null;
  readonly usage: ModelUsage;
}

/** A model's API. */
export interface Provider {
  readonly id: string;
  /** Loads what the first request will need, while something else is waited for. Rejects as that request would. */
  warm?(model: string): Promise<void>;
  /**
   * Sends one request and resolves with the whole answer when it has ended well. `emit` hears it as it comes. Rejects
   * with a ClawError of the catalogue, or with the signal's reason when that is aborted; then nothing more is emitted.
   */
  ask(request: ModelRequest, emit: (event: ModelEvent) => void, signal: AbortSignal): Promise<ModelAnswer>;
}
