import type { ErrorCategory, JsonObject } from "claw-contract";

/** The speaker: null for the main agent, else the id of the tool call that started the sub-agent. */
type Agent = string | null;

/** A part of the meaning of a native event, in terms that all agents share. */
export type RunUpdate =
  /** A conversation began or went on. Fields the agent does not name are null. */
  | {
      readonly kind: "session";
      readonly sessionId: string | null;
      readonly model: string | null;
      readonly apiKeySource: string | null;
      readonly cliVersion: string | null;
      /** The agent's name for its permission mode; absent where the agent does not tell. */
      readonly permissionMode?: string | null;
    }
  | { readonly kind: "turn-started" }
  | MessageStart
  /** A finished piece of text. */
  | { readonly kind: "text"; readonly text: string; readonly agent: Agent }
  /** A piece of text that is still being written; the whole follows as `text`. */
  | { readonly kind: "text-delta"; readonly text: string; readonly agent: Agent }
  | { readonly kind: "thinking"; readonly text: string; readonly agent: Agent }
  | AgentToolCall
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
  | ({ readonly kind: "usage" } & AgentUsage)
  /** The agent says a turn is over. There may be more of them; the last one counts. */
  | TurnEnd
  /** A failure that the agent reports outside of a `turn-end`. The next `turn-end` clears the failure. */
  | ({ readonly kind: "failure" } & RunFailure)
  /** A notice from the agent to people. */
  | {
      readonly kind: "notice";
      readonly text: string;
      /** Whether the result already reports the notice as a number, so that no warning repeats the text. */
      readonly isCounted?: boolean;
    }
  /** The conversation goes on with this model. */
  | { readonly kind: "model"; readonly model: string }
  /** A line for the result's `warnings`. */
  | { readonly kind: "warning"; readonly text: string };

/**
 * Begins a message of the model. The parts that follow in this event belong to the message. Several events can be about
 * the same message; its tokens are then the largest counts among these events.
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

export interface RunFailure {
  /** The agent's text about the failure; null when the agent gives no text. */
  readonly error: string | null;
  /** HTTP status of the refusal, where the agent names it. */
  readonly status: number | null;
  /** Category from a structured field of the event; null when only the error text can decide. */
  readonly category: ErrorCategory | null;
  /** Whether the model was out of reach, failed or was overloaded; null leaves it to status and text. */
  readonly unavailable: boolean | null;
}

export interface AgentToolCall {
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
  /** `cut-off`: the task was ended before its work was done, no matter who ended the task. */
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
  /** Whether the account allows no more use until `resetsAtMs`. */
  readonly reached: boolean;
  /** In milliseconds since 1970; null where the agent does not say. */
  readonly resetsAtMs: number | null;
}

export interface AgentUsage {
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
  readonly failure: RunFailure | null;
  /** The agent's own word for why it stopped. */
  readonly terminalReason: string | null;
  readonly stopReason: string | null;
  readonly numTurns: number | null;
  readonly permissionDenials: readonly JsonObject[];
  /** Null keeps the usage told before. */
  readonly usage: AgentUsage | null;
  /** Members for the result's `metadata`. */
  readonly metadata: JsonObject;
}

export const NO_UPDATES: readonly RunUpdate[] = [];
