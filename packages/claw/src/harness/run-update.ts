import type { JsonObject } from "@claw/contract";

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
    }
  | { readonly kind: "turn-started" }
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
  | { readonly kind: "permission-denied"; readonly tool: string; readonly id: string | null; readonly reason: string }
  | AgentRequest
  /** Totals so far. Absent counts are not known yet. */
  | ({ readonly kind: "usage" } & Usage)
  /** The agent says a turn is over. There may be more of them; the last one counts. */
  | TurnEnd
  /** Something the caller should know that changes no outcome. */
  | { readonly kind: "notice"; readonly text: string };

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
  readonly state: "running" | "ended";
  readonly background: boolean;
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
  readonly failed: boolean;
  /** The agent's own text about the failure; null without one. */
  readonly error: string | null;
  /** HTTP status of the refusal, where the agent names it. */
  readonly status: number | null;
  /** The agent's own word for the kind of failure, where it has one. */
  readonly reason: string | null;
  readonly stopReason: string | null;
  readonly numTurns: number | null;
  readonly permissionDenials: readonly JsonObject[];
  /** Null leaves what was known before. */
  readonly usage: Usage | null;
}
