import type { ServerContext, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import type { Caller, ClientFacts } from "./caller.ts";

/** Hints about a tool. Clients decide by them whether they ask a person first. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface McpProgress {
  /** Grows with every report. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One call of a tool. */
export interface McpToolCall extends ClientFacts {
  readonly caller: Caller;
  /** Reports progress; null when the client asked for none. Never rejects. */
  readonly progress: ((progress: McpProgress) => Promise<void>) | null;
  /** Aborted when the client cancels the call or leaves. */
  readonly signal: AbortSignal;
  /** Answers to the questions of an earlier `input-required` answer, by key; null in a first call. */
  readonly inputResponses: Readonly<Record<string, unknown>> | null;
  /** The state that the earlier `input-required` answer carried; null in a first call. Not verified by the layer. */
  readonly requestState: string | null;
  /** `_meta` of the request. */
  readonly meta: JsonObject;
  /** The SDK's objects, for what the fields above do not cover. */
  readonly sdk: { readonly server: Server; readonly context: ServerContext };
}

/** A finished call. `data` is `structuredContent`; `text` carries the same facts for clients that read only text. */
export interface McpToolResult {
  readonly kind: "result";
  readonly data?: JsonObject;
  readonly text?: string;
  /** Content blocks instead of `text`. */
  readonly content?: readonly JsonObject[];
  readonly isError?: boolean;
  readonly meta?: JsonObject;
}

/** The call goes on as a task. `task` holds the members of the protocol's task: `taskId`, `status` and so on. */
export interface ToolTask {
  readonly kind: "task";
  readonly task: JsonObject;
}

/**
 * The call needs answers first. A modern client answers and calls again; for a legacy client the layer asks by
 * elicitation and calls the tool again itself.
 */
export interface ToolQuestion {
  readonly kind: "input-required";
  /** Embedded requests, such as `elicitation/create`, by key. */
  readonly inputRequests?: Readonly<Record<string, JsonObject>>;
  readonly requestState?: string;
}

export type ToolAnswer = McpToolResult | ToolTask | ToolQuestion;

/** A tool as `tools/list` shows it. */
export interface ToolFace {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolHints;
}

export interface ToolDefinition extends ToolFace {
  /** Does the work. An error that it throws becomes a result with `isError`. */
  readonly run: (input: JsonObject, call: McpToolCall) => Promise<ToolAnswer>;
}
