import type { ContentBlock, JsonObject } from "claw-contract";
import { countOf, objectOf, stringOf } from "claw-contract";
import type { ModelAnswer, ModelEvent, ModelUsage } from "../provider.ts";

type Emit = (event: ModelEvent) => void;
/** A block that is still arriving. The parts of the text are joined when the block is complete. */
interface Draft {
  readonly kind: "text" | "thinking" | "tool" | "other";
  readonly start: JsonObject;
  readonly parts: string[];
  signature: string;
}

const KINDS: Readonly<Record<string, Draft["kind"]>> = {
  text: "text",
  thinking: "thinking",
  redacted_thinking: "thinking",
  tool_use: "tool",
};

const USAGE_FIELDS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const satisfies readonly (keyof ModelUsage)[];

function blockOf({ kind, start, parts, signature }: Draft): ContentBlock[] {
  const text = parts.join("");
  if (kind === "text") return text === "" ? [] : [{ type: "text", text }];
  if (kind === "tool") {
    const id = stringOf(start["id"]) ?? "";
    return [{ type: "tool_use", id, name: stringOf(start["name"]) ?? "", input: text === "" ? "{}" : text }];
  }
  if (kind !== "thinking") return [];
  const redacted = stringOf(start["data"]);
  if (redacted !== undefined) return [{ type: "thinking", thinking: "", redacted }];
  return [{ type: "thinking", thinking: text, ...(signature === "" ? {} : { signature }) }];
}

/** Assembles a message from the events of a stream. Unknown events and blocks are ignored. */
export class AnthropicAnswer {
  readonly #emit: Emit;
  readonly #drafts = new Map<unknown, Draft>();
  readonly #usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  #stopReason: string | null = null;
  #ended = false;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Takes one event. Returns the fault of the event; undefined for a sound event. */
  take(event: unknown): string | undefined {
    const fields = objectOf(event);
    switch (fields["type"]) {
      case "message_start": {
        return this.#count(objectOf(fields["message"])["usage"]);
      }
      case "content_block_start": {
        return this.#begin(fields["index"], objectOf(fields["content_block"]));
      }
      case "content_block_delta": {
        return this.#go(this.#drafts.get(fields["index"]), objectOf(fields["delta"]));
      }
      case "message_delta": {
        this.#stopReason = stringOf(objectOf(fields["delta"])["stop_reason"]) ?? this.#stopReason;
        return this.#count(fields["usage"]);
      }
      case "message_stop": {
        this.#ended = true;
        return undefined;
      }
      default: {
        return stringOf(fields["type"]) === undefined ? "an event has no type" : undefined;
      }
    }
  }

  /** Whether the message is complete. */
  ended(): boolean {
    return this.#ended;
  }

  /** The whole message, or undefined while it has not ended. */
  whole(): ModelAnswer | undefined {
    if (!this.#ended) return undefined;
    const blocks = [...this.#drafts.values()].flatMap(blockOf);
    return { blocks, stopReason: this.#stopReason, usage: { ...this.#usage } };
  }

  #count(given: unknown): undefined {
    const usage = objectOf(given);
    for (const field of USAGE_FIELDS) this.#usage[field] = countOf(usage[field]) ?? this.#usage[field];
  }

  #begin(index: unknown, start: JsonObject): string | undefined {
    const kind = KINDS[stringOf(start["type"]) ?? ""] ?? "other";
    const { id, name, text, thinking, signature } = start;
    if (kind === "tool" && (!stringOf(id) || !stringOf(name))) return "a tool call has no id or no name";
    const draft: Draft = { kind, start, parts: [], signature: stringOf(signature) ?? "" };
    this.#drafts.set(index, draft);
    if (kind === "tool") this.#emit({ kind: "tool-call", id: String(id), name: String(name) });
    const begun = stringOf(kind === "text" ? text : thinking);
    if (begun) this.#say(draft, begun);
  }

  #go(draft: Draft | undefined, delta: JsonObject): string | undefined {
    if (draft === undefined) return "a delta belongs to no block";
    if (delta["type"] === "signature_delta") draft.signature += stringOf(delta["signature"]) ?? "";
    else if (draft.kind === "tool") this.#write(draft, stringOf(delta["partial_json"]) ?? "");
    else this.#say(draft, stringOf(delta[draft.kind]) ?? "");
  }

  #write({ start, parts }: Draft, text: string): void {
    if (text === "") return;
    parts.push(text);
    this.#emit({ kind: "tool-input", id: String(start["id"]), text });
  }

  #say({ kind, parts }: Draft, text: string): void {
    if (text === "" || (kind !== "text" && kind !== "thinking")) return;
    parts.push(text);
    this.#emit({ kind, text });
  }
}
