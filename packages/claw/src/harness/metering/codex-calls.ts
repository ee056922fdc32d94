import type { JsonObject } from "@claw/contract";
import { countOf, isObject, objectOf, stringOf, textOf } from "../json-fields.ts";
import type { CallFact, CallSource, CallTokens, ModelCall } from "./model-call.ts";

const NOTHING: readonly CallFact[] = [];

interface Names {
  readonly input: string;
  readonly cached: string;
  readonly written: string;
  readonly output: string;
}

/** Codex's input holds what came from the cache and what went into it. */
function tokensBy(usage: JsonObject, names: Names): CallTokens {
  const [cacheRead, cacheWritten] = [countOf(usage[names.cached]), countOf(usage[names.written])];
  const input = Math.max(0, countOf(usage[names.input]) - cacheRead - cacheWritten);
  return { input, output: countOf(usage[names.output]), cacheRead, cacheWritten, cacheHour: 0 };
}

const FILE_NAMES: Names = {
  input: "input_tokens",
  cached: "cached_input_tokens",
  written: "cache_write_input_tokens",
  output: "output_tokens",
};

const SERVER_NAMES: Names = {
  input: "inputTokens",
  cached: "cachedInputTokens",
  written: "cacheWriteInputTokens",
  output: "outputTokens",
};

/** Tokens as `codex exec` and Codex's files tell them. */
export const codexTokens = (usage: JsonObject): CallTokens => tokensBy(usage, FILE_NAMES);

/**
 * A call is named by its thread and what the thread had used after it: records and counts both tell that sum, and it grows
 * with every call. In a thread that is gone on with after a kill the sums differ, when a call was recorded and not
 * counted.
 */
const callOf = (thread: string, sum: number, tokens: CallTokens, via: CallSource): ModelCall => ({
  id: `${thread}:${sum}`,
  thread,
  model: null,
  tokens,
  isFinal: true,
  via,
});

/** What a count of the app-server tells: the last call of a thread, and the thread's sum. */
export function readTokenUsage(thread: string, tokenUsage: JsonObject): ModelCall | null {
  const [total, last] = [objectOf(tokenUsage["total"]), objectOf(tokenUsage["last"])];
  const sum = countOf(total["totalTokens"]);
  return sum === 0 ? null : callOf(thread, sum, tokensBy(last, SERVER_NAMES), "count");
}

function readSum(thread: string, via: CallSource, told: { sum: unknown; last: unknown }): readonly CallFact[] {
  const settled: CallFact = { kind: "settled", thread, id: null };
  const all = countOf(objectOf(told.sum)["total_tokens"]);
  return all === 0 || !isObject(told.last)
    ? [settled]
    : [{ kind: "call", call: callOf(thread, all, codexTokens(told.last), via) }, settled];
}

/** Ends of a turn, after which nothing is being asked. */
const ENDS: ReadonlySet<string> = new Set(["task_complete", "turn_aborted", "error"]);

function readEvent(thread: string, payload: JsonObject): readonly CallFact[] {
  const type = textOf(payload["type"]);
  if (ENDS.has(type)) return [{ kind: "settled", thread, id: null }];
  const info = objectOf(payload["info"]);
  if (type !== "token_count" || !isObject(info["total_token_usage"])) return NOTHING;
  return readSum(thread, "count", { sum: info["total_token_usage"], last: info["last_token_usage"] });
}

/** What tools give back to the model. */
const OUTPUTS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);
const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** A thread asks one question at a time: a new one replaces the one before. */
const ask = (thread: string, id: string): readonly CallFact[] => [
  { kind: "settled", thread, id: null },
  { kind: "asked", thread, id },
];

/** The model is asked when it has a prompt, or everything that the tools it called give back. */
function readItem(thread: string, line: JsonObject, called: Set<string>): readonly CallFact[] {
  const payload = objectOf(line["payload"]);
  const [type, id, at] = [textOf(payload["type"]), textOf(payload["call_id"]), textOf(line["timestamp"])];
  if (CALLS.has(type)) called.add(id);
  if (type === "message" && payload["role"] === "user") return ask(thread, at);
  if (!OUTPUTS.has(type)) return NOTHING;
  called.delete(id);
  return called.size === 0 ? ask(thread, at) : NOTHING;
}

/** Reads what the lines of a rollout, Codex's file of a thread, tell of calls. */
export function createRolloutCalls(thread: string): (line: JsonObject) => readonly CallFact[] {
  /** Calls of tools that have given nothing back yet. */
  const called = new Set<string>();
  return (line) => {
    const payload = objectOf(line["payload"]);
    switch (line["type"]) {
      case "token_usage_record":
        return readSum(thread, "record", { sum: payload["thread_token_usage"], last: payload["usage"] });
      case "event_msg":
        return readEvent(thread, payload);
      case "response_item":
        return readItem(thread, line, called);
      case "turn_context": {
        called.clear();
        const model = stringOf(payload["model"]);
        return model === null ? NOTHING : [{ kind: "model", thread, model }];
      }
      default:
        return NOTHING;
    }
  };
}
