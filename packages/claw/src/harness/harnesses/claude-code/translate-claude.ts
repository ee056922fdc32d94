import type { JsonObject } from "claw-contract";
import { numberOrNull, objectOf } from "claw-contract";
import type { RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { translateAssistant } from "./assistant-message.ts";
import { translatePiece } from "./message-piece.ts";
import { translateRequest } from "./control-request.ts";
import { translateResult } from "./result-message.ts";
import { translateSystem } from "./system-message.ts";
import { translateUser } from "./user-message.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Kinds of events that the stream-json contract describes. */
const MESSAGES: ReadonlySet<unknown> = new Set(["system", "assistant", "user", "result"]);

/** Whether an event is a piece of a message that follows as a whole. */
export const isClaudePiece = ({ type }: JsonObject): boolean => type === "stream_event";

export const isClaudeMessage = ({ type }: JsonObject): boolean => MESSAGES.has(type);

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
