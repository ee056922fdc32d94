import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import { looseCountOf } from "../../stream/loose-values.ts";
import { dropPieces, flushPieces, notePiece } from "../../stream/stream-state.ts";
import type { RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Older releases do not name the message in each piece; it is then the one that began last. */
function messageOf(native: JsonObject, state: StreamState): string {
  return stringOrNull(native["api_message_id"]) ?? state.begunMessage;
}

/** Begins a message. An earlier message without an end is dropped: the agent has asked the model again. */
function beginMessage(event: JsonObject, state: StreamState): readonly RunUpdate[] {
  const id = textOf(objectOf(event["message"])["id"]);
  for (const message of state.partialText.keys()) if (message !== id) dropPieces(state, message);
  state.begunMessage = id;
  return NO_UPDATES;
}

/** Ends a message. Text that did not come as a whole by now is returned, unless the agent names abandoned blocks. */
function end(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const message = messageOf(native, state);
  if (!isObject(native["abandoned_blocks"])) return flushPieces(state, message);
  dropPieces(state, message);
  return NO_UPDATES;
}

/** The model's final output count for a message. The message itself comes before this count. */
function counted(native: JsonObject, event: JsonObject, state: StreamState): readonly RunUpdate[] {
  const agent = stringOrNull(native["parent_tool_use_id"]);
  const id = agent === null ? messageOf(native, state) : textOf(native["api_message_id"]);
  if (id === "") return NO_UPDATES;
  const stopReason = stringOrNull(objectOf(event["delta"])["stop_reason"]);
  const outputTokens = looseCountOf(objectOf(event["usage"])["output_tokens"]);
  return [{ kind: "message", id, stopReason, inputTokens: 0, outputTokens, agent }];
}

/**
 * Translates pieces of text, which come while the model writes a message. The whole text follows as a separate message.
 */
export function translatePiece(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const event = objectOf(native["event"]);
  const agent = stringOrNull(native["parent_tool_use_id"]);
  if (event["type"] === "message_start" && agent === null) return beginMessage(event, state);
  if (event["type"] === "message_stop" && agent === null) return end(native, state);
  if (event["type"] === "message_delta") return counted(native, event, state);
  const delta = objectOf(event["delta"]);
  const text = delta["type"] === "text_delta" ? stringOrNull(delta["text"]) : null;
  if (text === null) return NO_UPDATES;
  if (agent === null) notePiece(state, messageOf(native, state), text);
  return [{ kind: "text-delta", text, agent }];
}

/** Translates a block of content; undefined for a block without meaning outside of the agent. */
function translateBlock(block: JsonObject, agent: string | null, state: StreamState): RunUpdate | undefined {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: textOf(block["text"]), agent };
    case "thinking":
      return { kind: "thinking", text: textOf(block["thinking"]), agent };
    case "tool_use": {
      const [id, name, input] = [textOf(block["id"]), textOf(block["name"]), block["input"]];
      state.openCalls.add(id, { name, background: objectOf(input)["run_in_background"] === true });
      return { kind: "tool-call", id, name, input, agent };
    }
    default:
      return undefined;
  }
}

/**
 * Translates a message of the model, or a part of a message. The CLI's own text about a failed call is no text of the
 * agent.
 */
export function translateAssistant(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const failureWord = stringOrNull(native["error"]);
  const agent = stringOrNull(native["parent_tool_use_id"]);
  // A message without an error clears the error word of an earlier message.
  if (agent === null) state.failureWord = failureWord;
  if (failureWord !== null || native["is_api_error_message"] === true) return NO_UPDATES;
  const message = objectOf(native["message"]);
  const id = stringOrNull(message["id"]);
  if (agent === null) dropPieces(state, id ?? "");
  const { usage } = message;
  const start: RunUpdate = {
    kind: "message",
    id,
    stopReason: stringOrNull(message["stop_reason"]),
    inputTokens: isObject(usage) ? looseCountOf(usage["input_tokens"]) : 0,
    outputTokens: isObject(usage) ? looseCountOf(usage["output_tokens"]) : 0,
    agent,
  };
  let updates: RunUpdate[] | undefined;
  for (const block of arrayOf(message["content"])) {
    const update = isObject(block) ? translateBlock(block, agent, state) : undefined;
    if (update === undefined) continue;
    // A list of two, as most are, takes a fifth of the memory of a list that grew. Serves the rows `short lines`.
    if (updates === undefined) updates = [start, update];
    else updates.push(update);
  }
  return updates ?? [start];
}
