import type { ErrorCategory, JsonObject } from "claw-contract";
import { arrayOf, isObject, numberOrNull, objectOf, stringOrNull } from "claw-contract";
import { categoryOfStatus } from "../../result/classify.ts";
import { integerOf, isBlank, looseCountOf } from "../../stream/loose-values.ts";
import type { RunFailure, RunUpdate, AgentUsage } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";

/** Words of the CLI for a failed call, and of the API behind it. `unknown` says nothing. */
const CATEGORY_BY_WORD: Readonly<Record<string, ErrorCategory>> = {
  authentication_failed: "auth",
  authentication_error: "auth",
  permission_error: "auth",
  oauth_org_not_allowed: "auth",
  rate_limit: "rate_limit",
  rate_limit_error: "rate_limit",
  billing_error: "api",
  model_not_found: "api",
  invalid_request: "api",
  server_error: "api",
  overloaded: "api",
  max_output_tokens: "api",
};

const UNAVAILABLE_WORDS: ReadonlySet<string | null> = new Set([
  "server_error",
  "overloaded",
  "overloaded_error",
  "api_error",
]);

const categoryOfWord = (word: string | null): ErrorCategory | null =>
  word !== null && Object.hasOwn(CATEGORY_BY_WORD, word) ? (CATEGORY_BY_WORD[word] ?? null) : null;

/** A word that names another end than a failed call: turns or money used up, an interruption. */
const isOtherEnd = (reason: string | null): boolean =>
  reason !== null && reason !== "completed" && reason !== "api_error";

/** Reasons by subtype, for versions without `terminal_reason`. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["error_max_turns", "max_turns"],
  ["error_max_budget_usd", "budget_exhausted"],
]);

const terminalReasonOf = (native: JsonObject): string | null =>
  stringOrNull(native["terminal_reason"]) ?? REASONS.get(native["subtype"]) ?? null;

/** What the facts of a failed result say about it, the most precise first. */
function categoryOf(native: JsonObject, status: number | null, failureWord: string | null): ErrorCategory | null {
  if (status !== null) return categoryOfStatus(status);
  const known = categoryOfWord(failureWord) ?? categoryOfWord(stringOrNull(native["api_error_type"]));
  return known ?? (isOtherEnd(terminalReasonOf(native)) ? "api" : null);
}

/**
 * Whether the error words name a model that fails or is overloaded. Null when an HTTP status decides instead, or no
 * word is known.
 */
function isUnavailable(native: JsonObject, status: number | null, failureWord: string | null): boolean | null {
  if (status !== null) return null;
  const words = [failureWord, stringOrNull(native["api_error_type"])].filter(
    (word) => word !== null && word !== "unknown",
  );
  if (words.some((word) => UNAVAILABLE_WORDS.has(word))) return true;
  return words.length > 0 || isOtherEnd(terminalReasonOf(native)) ? false : null;
}

/** The CLI's text: in `result` for a failed call, in `errors` for every other end. */
function errorText(native: JsonObject): string | null {
  const text = stringOrNull(native["result"]);
  if (text !== null && text !== "") return text;
  const errors = arrayOf(native["errors"]).filter((entry) => typeof entry === "string" && entry !== "");
  return errors.length === 0 ? null : errors.join("\n");
}

function failureOf(native: JsonObject, failureWord: string | null): RunFailure | null {
  if (native["is_error"] !== true) return null;
  const status = integerOf(native["api_error_status"]);
  const category = categoryOf(native, status, failureWord);
  return { error: errorText(native), status, category, unavailable: isUnavailable(native, status, failureWord) };
}

/** Usage of all models since the process began, sub-agents included. */
function sumModels(models: readonly JsonObject[]): AgentUsage {
  const sum = (field: string): number => models.reduce((total, model) => total + looseCountOf(model[field]), 0);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    cacheReadTokens: sum("cacheReadInputTokens"),
    cacheCreationTokens: sum("cacheCreationInputTokens"),
  };
}

/** What the document describes: the main conversation, since the last result. */
function readUsage(usage: JsonObject): AgentUsage {
  return {
    inputTokens: looseCountOf(usage["input_tokens"]),
    outputTokens: looseCountOf(usage["output_tokens"]),
    cacheReadTokens: looseCountOf(usage["cache_read_input_tokens"]),
    cacheCreationTokens: looseCountOf(usage["cache_creation_input_tokens"]),
  };
}

function usageOf({ usage, modelUsage, total_cost_usd }: JsonObject): AgentUsage | null {
  const cost = numberOrNull(total_cost_usd);
  const costUsd = cost === null ? {} : { costUsd: cost };
  const models = Object.values(objectOf(modelUsage)).filter(isObject);
  if (models.length > 0) return { ...sumModels(models), ...costUsd };
  if (isBlank(usage) || isObject(usage)) return { ...readUsage(objectOf(usage)), ...costUsd };
  return cost === null ? null : costUsd;
}

function metadataOf({ modelUsage, structured_output }: JsonObject): JsonObject {
  return {
    ...(isObject(modelUsage) && !isBlank(modelUsage) ? { model_usage: modelUsage } : {}),
    ...(structured_output === undefined ? {} : { structured_output }),
  };
}

/** The end of a turn. There may be more of them before the process ends. */
export function translateResult(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const failure = failureOf(native, state.failureWord);
  state.failureWord = null;
  const end: RunUpdate = {
    kind: "turn-end",
    failure,
    terminalReason: terminalReasonOf(native),
    stopReason: stringOrNull(native["stop_reason"]),
    numTurns: integerOf(native["num_turns"]),
    permissionDenials: arrayOf(native["permission_denials"]).filter(isObject),
    usage: usageOf(native),
    metadata: metadataOf(native),
  };
  const sessionId = stringOrNull(native["session_id"]);
  if (sessionId === null) return [end];
  return [{ kind: "session", sessionId, model: null, apiKeySource: null, cliVersion: null }, end];
}
