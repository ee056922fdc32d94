import type { JsonObject } from "claw-contract";
import { isObject, objectOf, stringOrNull } from "claw-contract";
import { categoryOfStatus, readRetryNotice, statusInText } from "../../result/classify.ts";
import { isBlank, looseCountOf } from "../../stream/loose-values.ts";
import type { RunFailure, RunUpdate, TurnEnd, AgentUsage } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { readExecItem } from "./item.ts";
import { translateItemEnd, translateItemStart } from "./translate-item.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Counts as `codex exec` and the file of a thread write them. */
export const readUsage = (counts: JsonObject): AgentUsage => ({
  inputTokens: looseCountOf(counts["input_tokens"]),
  outputTokens: looseCountOf(counts["output_tokens"]),
  cacheReadTokens: looseCountOf(counts["cached_input_tokens"]),
  cacheCreationTokens: looseCountOf(counts["cache_write_input_tokens"]),
  reasoningTokens: looseCountOf(counts["reasoning_output_tokens"]),
});

/**
 * Totals of the conversation so far. Null for a value that is neither blank nor an object, which keeps the earlier
 * totals.
 */
const usageOf = (usage: unknown): AgentUsage | null =>
  isBlank(usage) || isObject(usage) ? readUsage(objectOf(usage)) : null;

/** The end of a turn of Codex, which knows neither turns of the model nor its reason to stop. */
export const codexTurnEnd = (
  terminalReason: string,
  failure: RunFailure | null,
  usage: AgentUsage | null,
): TurnEnd => ({
  kind: "turn-end",
  failure,
  terminalReason,
  stopReason: null,
  numTurns: null,
  permissionDenials: [],
  usage,
  metadata: {},
});

/** `codex exec` leaves only a text of a failure, which may hold the HTTP status. */
function failureOf(error: unknown): RunFailure {
  const text = stringOrNull(error) ?? stringOrNull(objectOf(error)["message"]);
  const status = text === null ? null : statusInText(text);
  return { error: text, status, category: status === null ? null : categoryOfStatus(status), unavailable: null };
}

/** Codex writes the same event for a final failure and for a retry. */
function translateError(message: unknown): readonly RunUpdate[] {
  const text = stringOrNull(message);
  const retry = text === null ? null : readRetryNotice(text);
  if (text === null || retry === null) return [{ kind: "failure", ...failureOf(message) }];
  return [{ kind: "retry", ...retry, delayMs: null, status: statusInText(text), reason: text }];
}

function translateThread(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const sessionId = stringOrNull(native["thread_id"]);
  if (sessionId === null || state.thread !== null) return NO_UPDATES;
  state.thread = sessionId;
  return [{ kind: "session", sessionId, model: null, apiKeySource: null, cliVersion: null }];
}

const TURN_STARTED: readonly RunUpdate[] = [{ kind: "turn-started" }];

/** What an event of `codex exec --json` means. */
export function translateExecEvent(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  switch (native["type"]) {
    case "thread.started":
      return translateThread(native, state);
    case "turn.started":
      return TURN_STARTED;
    case "turn.completed":
      return [codexTurnEnd("completed", null, usageOf(native["usage"]))];
    case "turn.failed":
      return [codexTurnEnd("failed", failureOf(native["error"]), null)];
    case "error":
      return translateError(native["message"]);
    case "item.started":
      return translateItemStart(readExecItem(native["item"]), null, state);
    case "item.completed":
      return translateItemEnd(readExecItem(native["item"]), null, state);
    default:
      return NO_UPDATES;
  }
}
