import type { JsonObject } from "claw-contract";
import { isObject, numberOrNull, objectOf, stringOrNull, textOf } from "claw-contract";
import { looseCountOf } from "../../stream/loose-values.ts";
import { flushAllPieces, notePiece } from "../../stream/stream-state.ts";
import type { RunFailure, RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { translateServerRequest } from "./app-server-request.ts";
import { readErrorInfo } from "./error-info.ts";
import { codexTurnEnd } from "./exec-event.ts";
import { readServerItem } from "./item.ts";
import { translateItemEnd, translateItemStart } from "./translate-item.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

const failureOf = (error: JsonObject): RunFailure => ({
  error: stringOrNull(error["message"]),
  ...readErrorInfo(error["codexErrorInfo"]),
});

/** Codex's words for its sandbox on the wire, and on its command line. */
const SANDBOXES: ReadonlyMap<unknown, string> = new Map([
  ["readOnly", "read-only"],
  ["workspaceWrite", "workspace-write"],
  ["dangerFullAccess", "danger-full-access"],
  ["externalSandbox", "external-sandbox"],
]);

const permissionModeOf = (sandbox: unknown): string | null => SANDBOXES.get(objectOf(sandbox)["type"]) ?? null;

/** Codex tells the settings of a thread when they change. */
function translateSettings({ threadSettings }: JsonObject): readonly RunUpdate[] {
  const permissionMode = permissionModeOf(objectOf(threadSettings)["sandboxPolicy"]);
  if (permissionMode === null) return NO_UPDATES;
  return [{ kind: "session", sessionId: null, model: null, apiKeySource: null, cliVersion: null, permissionMode }];
}

function translateThread(thread: JsonObject, answer: JsonObject, state: StreamState): readonly RunUpdate[] {
  const sessionId = stringOrNull(thread["id"]);
  if (sessionId === null || (state.thread !== null && state.thread !== sessionId)) return NO_UPDATES;
  state.thread = sessionId;
  const model = stringOrNull(answer["model"]) ?? stringOrNull(thread["model"]);
  const cliVersion = stringOrNull(thread["cliVersion"]);
  const permissionMode = permissionModeOf(answer["sandbox"]);
  return [{ kind: "session", sessionId, model, apiKeySource: null, cliVersion, permissionMode }];
}

function translateUsage(params: JsonObject): readonly RunUpdate[] {
  const total = objectOf(objectOf(params["tokenUsage"])["total"]);
  return [
    {
      kind: "usage",
      inputTokens: looseCountOf(total["inputTokens"]),
      outputTokens: looseCountOf(total["outputTokens"]),
      cacheReadTokens: looseCountOf(total["cachedInputTokens"]),
      cacheCreationTokens: looseCountOf(total["cacheWriteInputTokens"]),
      reasoningTokens: looseCountOf(total["reasoningOutputTokens"]),
    },
  ];
}

function turnFailure(status: string, error: unknown): RunFailure | null {
  if (status === "completed") return null;
  if (isObject(error)) return failureOf(error);
  const text = status === "interrupted" ? "the turn was interrupted" : null;
  return { error: text, status: null, category: "api", unavailable: false };
}

function translateTurnEnd(turn: JsonObject, state: StreamState): readonly RunUpdate[] {
  const status = textOf(turn["status"]);
  return [...flushAllPieces(state), codexTurnEnd(status, turnFailure(status, turn["error"]), null)];
}

function translateDelta(params: JsonObject, agent: string | null, state: StreamState): readonly RunUpdate[] {
  const text = textOf(params["delta"]);
  if (agent === null) notePiece(state, textOf(params["itemId"]), text);
  return [{ kind: "text-delta", text, agent }];
}

function translateError(params: JsonObject): readonly RunUpdate[] {
  const failure = failureOf(objectOf(params["error"]));
  if (params["willRetry"] !== true) return [{ kind: "failure", ...failure }];
  const { status, error } = failure;
  return [{ kind: "retry", attempt: null, maxAttempts: null, delayMs: null, status, reason: error ?? "" }];
}

const ALL_PERCENT = 100;

/**
 * The usage windows of an account, with reset times in seconds. Only used-up windows count; of two, the later reset.
 */
function translateLimits({ primary, secondary }: JsonObject): readonly RunUpdate[] {
  const windows = [objectOf(primary), objectOf(secondary)];
  const used = windows.filter((window) => (numberOrNull(window["usedPercent"]) ?? 0) >= ALL_PERCENT);
  const resets = used.flatMap((window) => numberOrNull(window["resetsAt"]) ?? []);
  const resetsAtMs = resets.length === 0 ? null : Math.max(...resets) * 1000;
  return [{ kind: "limit", reached: used.length > 0, resetsAtMs }];
}

/** Translates answers to claw's frames: the start of a conversation, or its refusal. */
function translateAnswer({ result, error }: JsonObject, state: StreamState): readonly RunUpdate[] {
  const answer = objectOf(result);
  const { thread } = answer;
  if (isObject(thread)) return translateThread(thread, answer, state);
  return isObject(error) && !state.turnStarted ? [{ kind: "failure", ...failureOf(error) }] : NO_UPDATES;
}

function translateNotification(method: string, params: JsonObject, state: StreamState): readonly RunUpdate[] {
  const thread = stringOrNull(params["threadId"]);
  // A stream whose beginning is missing is about the conversation it first speaks of.
  state.thread ??= thread;
  const agent = thread === null || thread === state.thread ? null : thread;
  switch (method) {
    case "thread/started":
      return translateThread(objectOf(params["thread"]), {}, state);
    case "item/started":
      return translateItemStart(readServerItem(params["item"]), agent, state);
    case "item/completed":
      return translateItemEnd(readServerItem(params["item"]), agent, state);
    case "item/agentMessage/delta":
      return translateDelta(params, agent, state);
    case "error":
      return translateError(params);
    case "warning":
    case "guardianWarning":
      return [{ kind: "notice", text: textOf(params["message"]) }];
    case "configWarning":
    case "deprecationNotice":
      return [{ kind: "notice", text: textOf(params["summary"]) }];
    case "account/rateLimits/updated":
      return translateLimits(objectOf(params["rateLimits"]));
    default:
      return agent === null ? translateTurn(method, params, state) : NO_UPDATES;
  }
}

/** The provider may give the conversation to another model. */
function translateReroute(params: JsonObject): readonly RunUpdate[] {
  const [model, text] = [stringOrNull(params["toModel"]), `rerouted from ${textOf(params["fromModel"])}`];
  return model === null
    ? NO_UPDATES
    : [
        { kind: "model", model },
        { kind: "notice", text: `${text} to ${model}` },
      ];
}

/** Translates turns and totals of the main conversation. Turns and totals of sub-agents are left out. */
function translateTurn(method: string, params: JsonObject, state: StreamState): readonly RunUpdate[] {
  switch (method) {
    case "turn/started":
      state.turnStarted = true;
      return [{ kind: "turn-started" }];
    case "thread/settings/updated":
      return translateSettings(params);
    case "thread/tokenUsage/updated":
      return translateUsage(params);
    case "model/rerouted":
      return translateReroute(params);
    case "turn/completed":
      return translateTurnEnd(objectOf(params["turn"]), state);
    default:
      return NO_UPDATES;
  }
}

/** What a message of `codex app-server` means. */
export function translateServerEvent(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  const method = stringOrNull(native["method"]);
  if (method === null) return translateAnswer(native, state);
  const params = objectOf(native["params"]);
  return native["id"] === undefined
    ? translateNotification(method, params, state)
    : translateServerRequest(native, method, state);
}
