import { randomUUID } from "node:crypto";
import type { HarnessId, JsonObject } from "@claw/contract";
import { objectOf, stringOf } from "../json-fields.ts";
import { anthropicTokens } from "./anthropic-tokens.ts";
import { createClaudeStreamCalls } from "./claude-calls.ts";
import { readTokenUsage } from "./codex-calls.ts";
import type { CallFact } from "./model-call.ts";
import { STREAM_THREAD } from "./model-call.ts";

/** What an object of an agent's stream tells of calls. */
export type StreamCalls = (native: JsonObject) => readonly CallFact[];

const NOTHING: readonly CallFact[] = [];

/** Codex counts a call when the tools that it asked for are done; its file tells it before. */
function readCodexEvent(native: JsonObject): readonly CallFact[] {
  const params = objectOf(native["params"]);
  if (native["method"] === "thread/tokenUsage/updated") {
    const call = readTokenUsage(stringOf(params["threadId"]) ?? "", objectOf(params["tokenUsage"]));
    return call === null ? NOTHING : [{ kind: "call", call }];
  }
  const thread = objectOf(objectOf(native["result"] ?? params)["thread"]);
  const [id, model] = [stringOf(thread["id"]), stringOf(thread["model"])];
  return id === null || model === null ? NOTHING : [{ kind: "model", thread: id, model }];
}

/**
 * Agents that keep no file of their own tell a message when it is whole; two events may be about the same one. Their ids
 * begin anew with each process.
 */
function readWholeMessage(native: JsonObject, processId: string): readonly CallFact[] {
  if (native["type"] === "system" && native["subtype"] === "init") {
    const model = stringOf(native["model"]);
    return model === null ? NOTHING : [{ kind: "model", thread: "", model }];
  }
  const message = objectOf(native["message"]);
  if (native["type"] !== "assistant" || stringOf(native["error"]) !== null) return NOTHING;
  // A message without a name comes in one piece.
  const id = `${processId}:${stringOf(message["id"]) ?? randomUUID()}`;
  const thread = stringOf(native["parent_tool_use_id"]) ?? "";
  const tokens = anthropicTokens(objectOf(message["usage"]));
  return [{ kind: "call", call: { id, thread, model: stringOf(message["model"]), tokens, isFinal: true } }];
}

/** Whether a stream told that the conversation itself asks its model. */
export const isHeardQuestion = (fact: CallFact): boolean => fact.kind === "asked" && fact.thread === STREAM_THREAD;

/** Reads what the stream of one process of this agent tells of calls. */
export function createStreamCalls(harness: HarnessId): StreamCalls {
  if (harness === "claude-code") return createClaudeStreamCalls();
  if (harness === "codex") return readCodexEvent;
  const processId = randomUUID();
  return (native) => readWholeMessage(native, processId);
}
