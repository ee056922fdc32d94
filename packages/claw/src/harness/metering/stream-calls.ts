import { randomUUID } from "node:crypto";
import type { HarnessId, JsonObject } from "claw-contract";
import { objectOf, stringOrNull } from "claw-contract";
import { anthropicTokens, NO_CALLS, STREAM_THREAD } from "./model-call.ts";
import { createClaudeStreamCalls } from "./claude-calls.ts";
import { readTokenUsage } from "./codex-calls.ts";
import type { CallFact } from "./model-call.ts";

/** What an object of an agent's stream tells of calls. */
export type StreamCalls = (native: JsonObject) => readonly CallFact[];

/**
 * Reads Codex's counts. Codex counts a call when the tools of the call are done; Codex's file tells the call earlier.
 */
function readCodexEvent(native: JsonObject): readonly CallFact[] {
  const params = objectOf(native["params"]);
  if (native["method"] === "thread/tokenUsage/updated") {
    const call = readTokenUsage(stringOrNull(params["threadId"]) ?? "", objectOf(params["tokenUsage"]));
    return call === null ? NO_CALLS : [{ kind: "call", call }];
  }
  const thread = objectOf(objectOf(native["result"] ?? params)["thread"]);
  const [id, model] = [stringOrNull(thread["id"]), stringOrNull(thread["model"])];
  return id === null || model === null ? NO_CALLS : [{ kind: "model", thread: id, model }];
}

/**
 * Reads an agent that keeps no session files. The agent sends a message when the message is whole. Two events may be
 * about the same message. Message ids start again with each process.
 */
function readWholeMessage(native: JsonObject, processId: string): readonly CallFact[] {
  if (native["type"] === "system" && native["subtype"] === "init") {
    const model = stringOrNull(native["model"]);
    return model === null ? NO_CALLS : [{ kind: "model", thread: "", model }];
  }
  const message = objectOf(native["message"]);
  if (native["type"] !== "assistant" || stringOrNull(native["error"]) !== null) return NO_CALLS;
  // A message without an id comes as a single event.
  const id = `${processId}:${stringOrNull(message["id"]) ?? randomUUID()}`;
  const thread = stringOrNull(native["parent_tool_use_id"]) ?? "";
  const tokens = anthropicTokens(objectOf(message["usage"]));
  return [{ kind: "call", call: { id, thread, model: stringOrNull(message["model"]), tokens, isFinal: true } }];
}

/** Whether the fact is a question of the main conversation, heard in a stream. */
export const isHeardQuestion = (fact: CallFact): boolean => fact.kind === "asked" && fact.thread === STREAM_THREAD;

/** Creates a reader of calls for the stream of one agent process. */
export function createStreamCalls(harness: HarnessId): StreamCalls {
  if (harness === "claude-code") return createClaudeStreamCalls();
  if (harness === "codex") return readCodexEvent;
  const processId = randomUUID();
  return (native) => readWholeMessage(native, processId);
}
