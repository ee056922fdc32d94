import type { JsonObject } from "claw-contract";
import type { Conversation } from "./conversation.ts";

/** One part of what the model says. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** `namespace` names the group of a tool that is not offered at first; only the Responses API has them. */
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly input: JsonObject;
      readonly namespace?: string;
      /** Streamed as its input in place of the JSON of `input`. */
      readonly inputText?: string;
    }
  /** A tool that takes plain text instead of JSON; only the Responses API has them. */
  | { readonly kind: "freeform-tool"; readonly name: string; readonly input: string };

/** How a stream that has begun goes wrong. */
export type BreakKind =
  /** Ends in good order, but before its last event. */
  | "cut"
  /** The connection is torn. */
  | "reset"
  /** Nothing more comes, and the connection stays. */
  | "hang"
  /** An event that is no JSON, and then the end. */
  | "bad-json"
  /** An event that says the provider is overloaded. */
  | "error-event";

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  /** What stops the model; by default the end of its turn, or a tool when it calls one. */
  readonly stop?: "max_tokens" | "refusal";
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Tokens of the prompt that came from the cache or went into it; none by default. */
  readonly cacheReadTokens?: number;
  readonly cacheCreationTokens?: number;
  /** How many of those stay in the cache for an hour; only Anthropic's API tells. */
  readonly cacheHourTokens?: number;
  /** False for a server that counts nothing, as some that speak Chat Completions. */
  readonly counts?: false;
  /** Time between two events. */
  readonly dripMs?: number;
  readonly breaks?: { readonly how: BreakKind; readonly afterEvents: number };
}

/** A request that gets no answer of a model. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly type: string;
      readonly message: string;
      /** What the APIs of OpenAI say beside the type; the type again by default. */
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A page of a proxy, with status 200. */
  | { readonly kind: "html" }
  /** The body is no JSON, with status 200. */
  | { readonly kind: "bad-body" }
  | { readonly kind: "reset" }
  | { readonly kind: "hang"; readonly at: "before-headers" | "after-headers" };

export type Attempt = Answer | Fault;

/** What the model says depends on what it was sent, tool results above all. */
export type Reaction = (conversation: Conversation) => Attempt;

/** What the model says in one turn, or what it says each time it is asked for it; the last of them repeats. */
export type Turn = Attempt | readonly Attempt[] | Reaction;

/**
 * What a model says, turn by turn; the last turn repeats. In its strings `__RUN__` is the run named in the base URL, by
 * custom the folder the client works in, and `__OUTPUT.name__` a member of what the last tool gave as JSON.
 */
export interface ModelScenario {
  readonly turns: readonly Turn[];
  /** Conversations whose first prompt holds this text follow turns of their own; so do sub-agents. */
  readonly conversations?: readonly { readonly prompt: string; readonly turns: readonly Turn[] }[];
}

export const say = (text: string): Answer => ({ kind: "answer", blocks: [{ kind: "text", text }] });

export const use = (name: string, input: JsonObject, text?: string): Answer => ({
  kind: "answer",
  blocks: [...(text === undefined ? [] : [{ kind: "text" as const, text }]), { kind: "tool", name, input }],
});

/** Several tools at once. */
export const useAll = (...calls: readonly (readonly [name: string, input: JsonObject])[]): Answer => ({
  kind: "answer",
  blocks: calls.map(([name, input]) => ({ kind: "tool", name, input })),
});

type StatusFault = Extract<Fault, { readonly kind: "status" }>;

const status = (
  code: number,
  type: string,
  message: string,
  more: Pick<StatusFault, "code" | "headers"> = {},
): StatusFault => ({ kind: "status", status: code, type, message, ...more });

const TOO_LONG = "prompt is too long: 215000 tokens > 200000 maximum";

export const FAULTS = {
  unauthorised: status(401, "authentication_error", "invalid x-api-key"),
  rateLimited: status(429, "rate_limit_error", "Rate limit exceeded for your organization"),
  rateLimitedFor: (seconds: number): Fault =>
    status(429, "rate_limit_error", "Rate limit exceeded for your organization", {
      headers: { "retry-after": String(seconds) },
    }),
  overloaded: status(529, "overloaded_error", "Overloaded"),
  serverError: status(500, "api_error", "Internal server error"),
  paymentRequired: status(402, "billing_error", "Your credit is used up", { code: "insufficient_quota" }),
  outOfQuota: status(429, "insufficient_quota", "You exceeded your current quota"),
  forbidden: status(403, "permission_error", "This key may not use the model"),
  expired: status(401, "authentication_error", "The token has expired", { code: "token_expired" }),
  contextWindow: status(400, "invalid_request_error", TOO_LONG, { code: "context_length_exceeded" }),
  badRequest: status(400, "invalid_request_error", "messages: at least one message is required"),
  tooLarge: status(413, "request_too_large", "Request exceeds the maximum size"),
  timedOut: status(408, "timeout_error", "Request timed out"),
  conflict: status(409, "conflict_error", "Try again"),
  noSuchModel: status(404, "not_found_error", "model: nope"),
} as const;

/** The same answer, broken off on its way. */
export const broken = (answer: Answer, how: BreakKind, afterEvents: number): Answer => ({
  ...answer,
  breaks: { how, afterEvents },
});
