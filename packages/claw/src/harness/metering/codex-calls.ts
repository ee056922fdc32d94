import type { JsonObject } from "claw-contract";
import { isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import { looseCountOf } from "../stream/loose-values.ts";
import type { CallFact, CallSource, CallTokens, ModelCall } from "./model-call.ts";
import { NO_CALLS } from "./model-call.ts";

interface Names {
  readonly input: string;
  readonly cached: string;
  readonly written: string;
  readonly output: string;
}

/** Codex's input count includes the tokens read from the cache and written to the cache. */
function tokensBy(usage: JsonObject, names: Names): CallTokens {
  const [cacheRead, cacheWritten] = [looseCountOf(usage[names.cached]), looseCountOf(usage[names.written])];
  const input = Math.max(0, looseCountOf(usage[names.input]) - cacheRead - cacheWritten);
  return { input, output: looseCountOf(usage[names.output]), cacheRead, cacheWritten, cacheHour: 0 };
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
 * The id of a call is its thread and the thread's token sum after the call. Records and counts both tell this sum, and
 * the sum grows with every call. In a thread that is resumed after a kill, the sums differ when a call was recorded and
 * not counted.
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
  const sum = looseCountOf(total["totalTokens"]);
  return sum === 0 ? null : callOf(thread, sum, tokensBy(last, SERVER_NAMES), "count");
}

const sumOf = (usage: unknown): number => looseCountOf(objectOf(usage)["total_tokens"]);

/** A call, unless nothing was used yet. */
function readSum(thread: string, via: CallSource, usage: { sum: unknown; last: unknown }): readonly CallFact[] {
  const all = sumOf(usage.sum);
  if (all === 0 || !isObject(usage.last)) return NO_CALLS;
  return [{ kind: "call", call: callOf(thread, all, codexTokens(usage.last), via) }];
}

/** Ends of a turn in good order or by an error, after which nothing is being asked. */
const TASK_ENDS: ReadonlySet<string> = new Set(["task_complete", "error"]);

/** What tools give back to the model. */
const OUTPUTS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);
const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** Output of a tool that an abort stopped. The output of a tool that ran to its end has more text in front. */
const STOPPED_TOOL = /^(?:Wall time: [\d.]+ seconds\n)?aborted by user/;

/**
 * Whether an item is a note of an aborted turn. Codex writes the note as a prompt, and as the output of a tool that was
 * running.
 */
function isAbortNote({ content, output }: JsonObject): boolean {
  const [note] = Array.isArray(content) ? content : [];
  return textOf(objectOf(note)["text"]).startsWith("<turn_aborted>") || STOPPED_TOOL.test(textOf(output));
}

/** Finds calls in the lines of a rollout, Codex's file of a thread. A thread asks one question at a time. */
class RolloutCalls {
  readonly #thread: string;
  /** Tool calls without output so far. */
  readonly #called = new Set<string>();
  /** Whether the model has begun to answer the last question. */
  #isAnswered = false;
  /** Token sums of the thread seen so far. */
  readonly #sums = new Set<number>();

  constructor(thread: string) {
    this.#thread = thread;
  }

  read(line: JsonObject): readonly CallFact[] {
    const payload = objectOf(line["payload"]);
    switch (line["type"]) {
      case "token_usage_record": {
        const usage = { sum: payload["thread_token_usage"], last: payload["usage"] };
        this.#sums.add(sumOf(usage.sum));
        return [...readSum(this.#thread, "record", usage), this.#settled()];
      }
      case "event_msg":
        return this.#readEvent(payload);
      case "response_item":
        return this.#readItem(payload, textOf(line["timestamp"]));
      case "turn_context": {
        this.#called.clear();
        const model = stringOrNull(payload["model"]);
        return model === null ? NO_CALLS : [{ kind: "model", thread: this.#thread, model }];
      }
      default:
        return NO_CALLS;
    }
  }

  #settled(): CallFact {
    return { kind: "settled", thread: this.#thread, id: null };
  }

  #readEvent(payload: JsonObject): readonly CallFact[] {
    const type = textOf(payload["type"]);
    if (TASK_ENDS.has(type)) return [this.#settled()];
    if (type === "turn_aborted") return [{ kind: "cut", thread: this.#thread }];
    const info = objectOf(payload["info"]);
    if (type !== "token_count" || !isObject(info["total_token_usage"])) return NO_CALLS;
    const usage = { sum: info["total_token_usage"], last: info["last_token_usage"] };
    const sum = sumOf(usage.sum);
    const isNew = !this.#sums.has(sum);
    this.#sums.add(sum);
    // Codex counts a call when its tools are done. By then the next question may be open; the count does not include it.
    // An abort repeats the last count.
    return [...readSum(this.#thread, "count", usage), ...(isNew && this.#isAnswered ? [this.#settled()] : [])];
  }

  /**
   * The model is asked when a prompt arrives, or when all called tools have returned output. Notes of an abort ask no
   * question.
   */
  #readItem(payload: JsonObject, at: string): readonly CallFact[] {
    const [type, id, role] = [textOf(payload["type"]), textOf(payload["call_id"]), payload["role"]];
    if (CALLS.has(type)) this.#called.add(id);
    const isOutput = OUTPUTS.has(type);
    if (isOutput) this.#called.delete(id);
    if (isAbortNote(payload)) return NO_CALLS;
    if (isOutput ? this.#called.size === 0 : type === "message" && role === "user") return this.#ask(at);
    if (!isOutput && (type !== "message" || role === "assistant")) this.#isAnswered = true;
    return NO_CALLS;
  }

  /** A new question replaces the one before. */
  #ask(id: string): readonly CallFact[] {
    this.#isAnswered = false;
    return [this.#settled(), { kind: "asked", thread: this.#thread, id }];
  }
}

/** Reads what the lines of a rollout tell of calls. */
export function createRolloutCalls(thread: string): (line: JsonObject) => readonly CallFact[] {
  const calls = new RolloutCalls(thread);
  return (line) => calls.read(line);
}
