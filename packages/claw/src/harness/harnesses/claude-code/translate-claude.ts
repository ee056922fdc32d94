import type { JsonObject } from "claw-contract";
import { numberOrNull, objectOf, stringOrNull, textOf, arrayOf, isObject } from "claw-contract";
import type { RunUpdate, AgentRequest } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { translateAssistant, translatePiece } from "./assistant-message.ts";
import { translateResult } from "./result-message.ts";
import { translateSystem } from "./system-message.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";
import { saysSandbox } from "../../stores/limited-stores.ts";

/** The text of a tool's result, which is a string or a list of blocks. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = arrayOf(content).flatMap((block) => (isObject(block) ? [textOf(block["text"])] : []));
  return texts.join("\n");
}

/** Whether Claude Code's sandbox kept a command from writing. It tells the model alone, as the command's output. */
function isStoppedBySandbox(result: RunUpdate & { readonly kind: "tool-result" }, state: StreamState): boolean {
  if (!result.failed || !state.isSandboxed) return false;
  return state.openCalls.get(result.id)?.name === "Bash" && saysSandbox(result.output);
}

/** Translates the results of tools. Other messages to the model mean nothing for the run. */
function translateUser(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  let updates: RunUpdate[] | undefined;
  for (const block of arrayOf(objectOf(native["message"])["content"])) {
    if (!isObject(block) || block["type"] !== "tool_result") continue;
    const result = {
      kind: "tool-result",
      id: textOf(block["tool_use_id"]),
      failed: block["is_error"] === true,
      output: resultText(block["content"]),
      agent: stringOrNull(native["parent_tool_use_id"]),
    } as const;
    const { id } = result;
    // A list of one, as most are, takes an eighth of the memory of a list that grew. Serves the rows `short lines`.
    if (updates === undefined) updates = [result];
    else updates.push(result);
    if (isStoppedBySandbox(result, state)) {
      updates.push({ kind: "permission-denied", tool: "Bash", id, input: undefined, reason: "sandbox" });
    }
    state.openCalls.end(id);
  }
  return updates ?? NO_UPDATES;
}

function aboutOf(request: JsonObject): AgentRequest["about"] | null {
  if (request["subtype"] === "elicitation") return "elicitation";
  if (request["subtype"] !== "can_use_tool") return null;
  return request["requires_user_interaction"] === true ? "question" : "permission";
}

/** Translates a request. The agent asks on its stdout and waits for the answer on its stdin. */
export function translateRequest(native: JsonObject): readonly RunUpdate[] {
  const request = objectOf(native["request"]);
  const about = aboutOf(request);
  const id = stringOrNull(native["request_id"]);
  if (about === null || id === null) return NO_UPDATES;
  return [
    {
      kind: "request",
      id,
      about,
      tool: textOf(request["tool_name"] ?? request["mcp_server_name"]),
      input: request["input"] ?? request["requested_schema"],
      reason: textOf(request["decision_reason"] ?? request["message"] ?? request["description"]),
      native,
    },
  ];
}

/** Whether an event is a piece of a message that follows as a whole. */
export const isClaudePiece = ({ type }: JsonObject): boolean => type === "stream_event";

/** Whether the stream-json contract describes events of this kind. */
export const isClaudeMessage = ({ type }: JsonObject): boolean =>
  type === "assistant" || type === "user" || type === "system" || type === "result";

/** Whether an event tells that the stream is Claude's. */
export const isClaudeEvent = (native: JsonObject): boolean =>
  isClaudeMessage(native) || native["type"] === "stream_event" || native["type"] === "control_request";

/** `resetsAt` is in seconds. */
function translateLimit(native: JsonObject): readonly RunUpdate[] {
  const info = objectOf(native["rate_limit_info"]);
  const seconds = numberOrNull(info["resetsAt"]);
  return [
    { kind: "limit", reached: info["status"] === "rejected", resetsAtMs: seconds === null ? null : seconds * 1000 },
  ];
}

/** What an event of Claude Code's stream-json means. */
export function translateClaude(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  switch (native["type"]) {
    case "assistant":
      return translateAssistant(native, state);
    case "user":
      return translateUser(native, state);
    case "system":
      return translateSystem(native, state);
    case "result":
      return translateResult(native, state);
    case "stream_event":
      return translatePiece(native, state);
    case "rate_limit_event":
      return translateLimit(native);
    case "control_request":
      return translateRequest(native);
    default:
      return NO_UPDATES;
  }
}
