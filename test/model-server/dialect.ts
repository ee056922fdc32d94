import type { JsonObject } from "claw-contract";
import { anthropicError, anthropicEvents, anthropicMessage } from "./anthropic.ts";
import type { ApiError, ApiRequest } from "./api-request.ts";
import { chatCompletion, chatEvents } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import { readChat, readInput, readMessages } from "./conversation.ts";
import { generatedContent, generatedEvents, generateError, readContents } from "./gemini.ts";
import type { Answer } from "./model-scenario.ts";
import { responseError, responseEvents, responseObject } from "./responses.ts";
import type { SseEvent } from "./sse.ts";
import { sseEvent } from "./sse.ts";

/** How one provider's API speaks. */
export interface Dialect {
  /** Behind the scenario and the run in the path. */
  readonly path: string;
  readonly requestIdHeader: string;
  readonly read: (body: JsonObject) => Conversation;
  readonly whole: (answer: Answer, request: ApiRequest) => JsonObject;
  readonly events: (answer: Answer, request: ApiRequest) => SseEvent[];
  readonly error: (error: ApiError, request: ApiRequest) => JsonObject;
  /** The event of a stream whose provider gave up. */
  readonly overloaded: SseEvent;
}

export const DIALECTS: readonly Dialect[] = [
  {
    path: "/v1/messages",
    requestIdHeader: "request-id",
    read: readMessages,
    whole: anthropicMessage,
    events: anthropicEvents,
    error: anthropicError,
    overloaded: sseEvent({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  },
  {
    path: "/v1/responses",
    requestIdHeader: "x-request-id",
    read: readInput,
    whole: responseObject,
    events: responseEvents,
    error: responseError,
    overloaded: sseEvent({
      type: "response.failed",
      response: { id: "resp_failed", error: { code: "server_is_overloaded", message: "Overloaded" } },
    }),
  },
  {
    path: "/v1/chat/completions",
    requestIdHeader: "x-request-id",
    read: readChat,
    whole: chatCompletion,
    events: chatEvents,
    error: responseError,
    overloaded: {
      event: "",
      data: JSON.stringify(responseError({ type: "server_error", code: "overloaded", message: "Overloaded" })),
    },
  },
  {
    path: "/v1beta/models",
    requestIdHeader: "x-request-id",
    read: readContents,
    whole: generatedContent,
    events: generatedEvents,
    error: generateError,
    overloaded: { event: "", data: JSON.stringify(generateError({ type: "unavailable", message: "Overloaded" })) },
  },
];

/** A request by its address: its API and, where the address names them, its model and whether it asks for a stream. */
export interface AskedDialect {
  readonly dialect: Dialect;
  readonly model?: string;
  readonly stream?: boolean;
}

/** The API that a path names; undefined when none does. */
export function dialectFor(rest: string): AskedDialect | undefined {
  const [, path = rest, model, method] =
    /^(\/v1beta\/models)\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(rest) ?? [];
  const dialect = DIALECTS.find((each) => each.path === path);
  if (dialect === undefined) return undefined;
  return model === undefined ? { dialect } : { dialect, model, stream: method === "streamGenerateContent" };
}
