import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import { looseCountOf } from "../../stream/loose-values.ts";
import { dropPieces } from "../../stream/partial-text.ts";
import type { RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { remember } from "../../stream/stream-state.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Translates a block of content; undefined for a block without meaning outside of the agent. */
function translateBlock(block: JsonObject, agent: string | null, state: StreamState): RunUpdate | undefined {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: textOf(block["text"]), agent };
    case "thinking":
      return { kind: "thinking", text: textOf(block["thinking"]), agent };
    case "tool_use": {
      const [id, name, input] = [textOf(block["id"]), textOf(block["name"]), block["input"]];
      remember(state.openCalls, id, { name, background: objectOf(input)["run_in_background"] === true });
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
  if (agent === null) dropPieces(state, textOf(message["id"]));
  const usage = objectOf(message["usage"]);
  const updates: RunUpdate[] = [
    {
      kind: "message",
      id: stringOrNull(message["id"]),
      stopReason: stringOrNull(message["stop_reason"]),
      inputTokens: looseCountOf(usage["input_tokens"]),
      outputTokens: looseCountOf(usage["output_tokens"]),
      agent,
    },
  ];
  for (const block of arrayOf(message["content"])) {
    const update = isObject(block) ? translateBlock(block, agent, state) : undefined;
    if (update !== undefined) updates.push(update);
  }
  return updates;
}
