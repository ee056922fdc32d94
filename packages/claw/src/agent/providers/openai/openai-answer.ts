import { randomUUID } from "node:crypto";
import type { ContentBlock, JsonObject } from "claw-contract";
import { arrayOf, countOf, isObject, objectOf, stringOf } from "claw-contract";
import type { ModelAnswer, ModelEvent, ModelUsage } from "../provider.ts";

type Emit = (event: ModelEvent) => void;

interface TextDraft {
  readonly kind: "text" | "thinking";
  readonly parts: string[];
}

interface Call {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly parts: string[];
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  function_call: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

const isCall = (draft: TextDraft | Call): draft is Call => draft.kind === "tool";

function blockOf(draft: TextDraft | Call): ContentBlock {
  const text = draft.parts.join("");
  if (draft.kind === "text") return { type: "text", text };
  if (!isCall(draft)) return { type: "thinking", thinking: text };
  return { type: "tool_use", id: draft.id, name: draft.name, input: text === "" ? "{}" : text };
}

/**
 * Reads token counts. The API counts the whole prompt as input; here, tokens read from or written to the cache are
 * counted apart.
 */
function readUsage(usage: JsonObject): ModelUsage {
  const details = objectOf(usage["prompt_tokens_details"]);
  const read = countOf(details["cached_tokens"]) ?? countOf(usage["prompt_cache_hit_tokens"]) ?? 0;
  const written = countOf(details["cache_write_tokens"]) ?? 0;
  return {
    input_tokens: Math.max(0, (countOf(usage["prompt_tokens"]) ?? 0) - read - written),
    output_tokens: countOf(usage["completion_tokens"]) ?? 0,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  };
}

/** Puts a completion together from the chunks of a stream. */
export class OpenAiAnswer {
  readonly #emit: Emit;
  readonly #drafts: (TextDraft | Call)[] = [];
  readonly #calls = new Map<number, Call>();
  #usage = readUsage({});
  #counted = false;
  #finish: string | undefined;
  #refused = false;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Takes one chunk. Returns the fault of the chunk; undefined for a sound chunk. */
  take(chunk: unknown): string | undefined {
    if (!isObject(chunk)) return "a chunk is no object";
    if (isObject(chunk["usage"])) {
      this.#usage = readUsage(chunk["usage"]);
      this.#counted = true;
    }
    const choice = objectOf(arrayOf(chunk["choices"])[0]);
    const delta = objectOf(choice["delta"]);
    this.#say("thinking", stringOf(delta["reasoning_content"]) ?? stringOf(delta["reasoning"]) ?? "");
    this.#say("text", stringOf(delta["content"]) ?? "");
    const refusal = stringOf(delta["refusal"]) ?? "";
    this.#refused ||= refusal !== "";
    this.#say("text", refusal);
    for (const [place, call] of arrayOf(delta["tool_calls"]).entries()) {
      const wrong = this.#takeCall(objectOf(call), place);
      if (wrong !== undefined) return wrong;
    }
    this.#finish = stringOf(choice["finish_reason"]) ?? this.#finish;
    return undefined;
  }

  /** Whether finish reason and usage have arrived. */
  ended(): boolean {
    return this.#finish !== undefined && this.#counted;
  }

  /** The whole answer, or undefined while it has not ended. */
  whole(): ModelAnswer | undefined {
    if (this.#finish === undefined) return undefined;
    return { blocks: this.#drafts.map(blockOf), stopReason: this.#stopReason(this.#finish), usage: this.#usage };
  }

  #stopReason(finish: string): string {
    const reason = STOP_REASONS[finish] ?? finish;
    if (reason !== "end_turn") return reason;
    // Some servers say "stop" although the answer calls tools.
    if (this.#calls.size > 0) return "tool_use";
    return this.#refused ? "refusal" : reason;
  }

  #say(kind: TextDraft["kind"], text: string): void {
    if (text === "") return;
    const last = this.#drafts.at(-1);
    if (last?.kind === kind) last.parts.push(text);
    else this.#drafts.push({ kind, parts: [text] });
    this.#emit({ kind, text });
  }

  /**
   * Takes a part of a tool call. Parts with the same index belong to one call. A different id at that index begins a
   * new call, because some servers do not count calls.
   */
  #takeCall(given: JsonObject, place: number): string | undefined {
    const index = countOf(given["index"]) ?? place;
    const id = stringOf(given["id"]) ?? "";
    const named = objectOf(given["function"]);
    const known = this.#calls.get(index);
    const goesOn = known !== undefined && (id === "" || id === known.id);
    const call = goesOn ? known : this.#begin(index, id, stringOf(named["name"]) ?? "");
    if (call === undefined) return "a tool call has no name";
    const text = stringOf(named["arguments"]) ?? "";
    call.parts.push(text);
    if (text !== "") this.#emit({ kind: "tool-input", id: call.id, text });
    return undefined;
  }

  #begin(index: number, id: string, name: string): Call | undefined {
    if (name === "") return undefined;
    const call: Call = { kind: "tool", id: id === "" ? `call_${randomUUID()}` : id, name, parts: [] };
    this.#calls.set(index, call);
    this.#drafts.push(call);
    this.#emit({ kind: "tool-call", id: call.id, name });
    return call;
  }
}
