import type { ErrorCategory, JsonObject } from "@claw/contract";

/** Who says or does something: null is the agent itself, else the id of the call that started a sub-agent. */
type Agent = string | null;

/** What one native event means, in words that fit every agent. */
export type RunUpdate =
  /** A conversation began or went on. Fields the agent does not name are null. */
  | {
      readonly kind: "session";
      readonly sessionId: string | null;
      readonly model: string | null;
      readonly apiKeySource: string | null;
      readonly cliVersion: string | null;
      /** What it may do, in the agent's own words; absent where it does not say. */
      readonly permissionMode?: string | null;
    }
  | { readonly kind: "turn-started" }
  | MessageStart
  /** A finished piece of text. */
  | { readonly kind: "text"; readonly text: string; readonly agent: Agent }
  /** A piece of text that is still being written; the whole follows as `text`. */
  | { readonly kind: "text-delta"; readonly text: string; readonly agent: Agent }
  | { readonly kind: "thinking"; readonly text: string; readonly agent: Agent }
  | ToolCall
  | {
      readonly kind: "tool-result";
      readonly id: string;
      readonly failed: boolean;
      readonly output: string;
      readonly agent: Agent;
    }
  | BackgroundTask
  /** The agent tries again by itself; no failure. */
  | {
      readonly kind: "retry";
      readonly attempt: number | null;
      readonly maxAttempts: number | null;
      readonly delayMs: number | null;
      readonly status: number | null;
      readonly reason: string;
    }
  | {
      readonly kind: "permission-denied";
      readonly tool: string;
      readonly id: string | null;
      /** Undefined where the agent does not repeat it. */
      readonly input: unknown;
      readonly reason: string;
    }
  | AgentRequest
  /** How far the agent has used up what its account allows. */
  | UsageLimit
  /** Totals so far. Absent counts are not known yet. */
  | ({ readonly kind: "usage" } & Usage)
  /** The agent says a turn is over. There may be more of them; the last one counts. */
  | TurnEnd
  /** Something failed, and the agent has not said yet that its turn is over. A turn that ends well takes it back. */
  | ({ readonly kind: "failure" } & Failure)
  /** Something the agent tells people. */
  | {
      readonly kind: "notice";
      readonly text: string;
      /** Whether the result tells it as a number. */
      readonly isCounted?: boolean;
    }
  /** The conversation goes on with this model. */
  | { readonly kind: "model"; readonly model: string }
  /** Something the result's `warnings` should say. */
  | { readonly kind: "warning"; readonly text: string };

/**
 * Parts that follow in this event belong to one message of the model. Events may be about the same one; its tokens are
 * then the largest that were told.
 */
export interface MessageStart {
  readonly kind: "message";
  readonly id: string | null;
  /** Null where the agent does not know it yet. */
  readonly stopReason: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly agent: Agent;
}

export interface Failure {
  /** The agent's own text about it; null without one. */
  readonly error: string | null;
  /** HTTP status of the refusal, where the agent names it. */
  readonly status: number | null;
  /** What a structured fact says about it; null leaves it to the text. */
  readonly category: ErrorCategory | null;
  /** Whether the model was out of reach, failed or was overloaded; null leaves it to status and text. */
  readonly unavailable: boolean | null;
}

export interface ToolCall {
  readonly kind: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly agent: Agent;
}

/** Work that goes on beside the conversation. */
export interface BackgroundTask {
  readonly kind: "task";
  readonly id: string;
  /** `cut-off` is an end before its time, by whomever. */
  readonly state: "running" | "ended" | "cut-off";
  /** Whether the conversation goes on without it; null where the agent does not say. */
  readonly background: boolean | null;
  readonly description: string;
}

/** The agent waits for an answer. Only in two-way dialogues. */
export interface AgentRequest {
  readonly kind: "request";
  /** To be repeated in the answer; a number stays a number. */
  readonly id: string | number;
  readonly about: "permission" | "question" | "elicitation";
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
  readonly native: JsonObject;
}

export interface UsageLimit {
  readonly kind: "limit";
  /** Whether nothing more is allowed until then. */
  readonly reached: boolean;
  /** In milliseconds since 1970; null where the agent does not say. */
  readonly resetsAtMs: number | null;
}

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheCreationTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
}

export interface TurnEnd {
  readonly kind: "turn-end";
  /** Null when the turn ended well. */
  readonly failure: Failure | null;
  /** The agent's own word for why it stopped. */
  readonly terminalReason: string | null;
  readonly stopReason: string | null;
  readonly numTurns: number | null;
  readonly permissionDenials: readonly JsonObject[];
  /** Null leaves what was known before. */
  readonly usage: Usage | null;
  /** What the result's `metadata` should say of it. */
  readonly metadata: JsonObject;
}
