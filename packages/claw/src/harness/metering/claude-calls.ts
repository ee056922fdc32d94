import type { JsonObject } from "claw-contract";
import { isObject, numberOrNull, objectOf, stringOrNull } from "claw-contract";
import { anthropicTokens, NO_CALLS, STREAM_THREAD, addTokens, NO_TOKENS } from "./model-call.ts";
import type { CallFact, CallTokens, ModelCall, AgentTotal } from "./model-call.ts";
import { looseCountOf } from "../stream/loose-values.ts";

const tokensOfModel = (model: JsonObject): CallTokens => ({
  input: looseCountOf(model["inputTokens"]),
  output: looseCountOf(model["outputTokens"]),
  cacheRead: looseCountOf(model["cacheReadInputTokens"]),
  cacheWritten: looseCountOf(model["cacheCreationInputTokens"]),
  cacheHour: looseCountOf(model["cacheCreationEphemeral1hInputTokens"]),
});

/** What Claude Code has counted for each model, added up; null when it has counted nothing. */
function sumModels(modelUsage: unknown): CallTokens | null {
  const models = Object.values(objectOf(modelUsage)).filter(isObject);
  return models.length === 0 ? null : models.map(tokensOfModel).reduce(addTokens, NO_TOKENS);
}

/** Reads the total in a `result` of an agent that speaks as Claude Code does; null for any other object. */
export function readAgentTotal(native: JsonObject): AgentTotal | null {
  if (native["type"] !== "result") return null;
  const [tokens, costUsd] = [sumModels(native["modelUsage"]), numberOrNull(native["total_cost_usd"])];
  if (tokens !== null) return { tokens, costUsd };
  return isObject(native["usage"]) ? { tokens: anthropicTokens(native["usage"]), costUsd } : null;
}

/** Claude Code's model name for texts that Claude Code writes itself. */
const SYNTHETIC = "<synthetic>";

/** The answer of a model in a transcript. A message stands there once for each of its blocks, with the same usage. */
function readAnswer(line: JsonObject, thread: string): readonly CallFact[] {
  const message = objectOf(line["message"]);
  const [id, model, asked] = [
    stringOrNull(message["id"]),
    stringOrNull(message["model"]),
    stringOrNull(line["requestRef"]),
  ];
  const settled: CallFact = { kind: "settled", thread, id: asked };
  if (model === SYNTHETIC || line["isApiErrorMessage"] === true) return [settled];
  if (id === null || !isObject(message["usage"])) return NO_CALLS;
  const tokens = anthropicTokens(message["usage"]);
  const call = { id, thread, model: stringOrNull(line["requestedModel"]) ?? model, tokens, isFinal: true };
  return [{ kind: "call", call }, ...(asked === null ? [] : [settled])];
}

/** Claude Code writes its totals to the transcript when it ends in good order. */
function readCarried(line: JsonObject): readonly CallFact[] {
  const tokens = sumModels(line["modelUsage"]);
  return tokens === null
    ? NO_CALLS
    : [{ kind: "carried", total: { tokens, costUsd: numberOrNull(line["totalCostUSD"]) } }];
}

/** What a line of Claude Code's transcript tells of calls. Pure. */
export function readClaudeLine(line: JsonObject): readonly CallFact[] {
  const thread = stringOrNull(line["agentId"]) ?? "";
  switch (line["type"]) {
    case "assistant":
      return readAnswer(line, thread);
    case "api-request": {
      const id = stringOrNull(line["id"]);
      return id === null ? NO_CALLS : [{ kind: "asked", thread, id }];
    }
    case "cost-state":
      return readCarried(line);
    default:
      return NO_CALLS;
  }
}

/** Reads partial messages. Only `message_start` names the message and its model; the following events do not. */
function readPartial(native: JsonObject, thread: string, open: Map<string, ModelCall>): readonly CallFact[] {
  const event = objectOf(native["event"]);
  if (event["type"] === "message_start") {
    const message = objectOf(event["message"]);
    const [id, usage] = [stringOrNull(message["id"]), objectOf(message["usage"])];
    if (id === null) return NO_CALLS;
    open.set(thread, {
      id,
      thread,
      model: stringOrNull(message["model"]),
      tokens: anthropicTokens(usage),
      isFinal: false,
    });
    return NO_CALLS;
  }
  const call = open.get(thread);
  if (event["type"] !== "message_delta" || call === undefined || !isObject(event["usage"])) return NO_CALLS;
  open.delete(thread);
  // `message_delta` has the final output count. Other counts appear only when they changed since `message_start`.
  const reported = Object.fromEntries(Object.entries(anthropicTokens(event["usage"])).filter(([, count]) => count > 0));
  const tokens: CallTokens = { ...call.tokens, output: 0, ...reported };
  return [
    { kind: "call", call: { ...call, tokens, isFinal: true } },
    { kind: "settled", thread, id: null },
  ];
}

const threadOf = (native: JsonObject): string => STREAM_THREAD + (stringOrNull(native["parent_tool_use_id"]) ?? "");

/** The id of the one question that a conversation can have open in a stream. */
const QUESTION = "open";

/**
 * Reads model calls from Claude Code's stream. Without partial events the stream has no final output count; then the
 * transcript gives it.
 */
export function createClaudeStreamCalls(): (native: JsonObject) => readonly CallFact[] {
  const open = new Map<string, ModelCall>();
  return (native) => {
    const thread = threadOf(native);
    if (native["type"] === "stream_event") return readPartial(native, thread, open);
    if (native["type"] === "system" && native["subtype"] === "status" && native["status"] === "requesting") {
      return [{ kind: "asked", thread, id: QUESTION }];
    }
    const isOver = native["type"] === "result" || native["is_api_error_message"] === true;
    return isOver ? [{ kind: "settled", thread, id: null }] : NO_CALLS;
  };
}
