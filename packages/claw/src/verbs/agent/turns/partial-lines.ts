import { randomUUID } from "node:crypto";
import type { JsonObject } from "claw-contract";
import type { TurnEvent } from "../../../agent/index.ts";
import type { StreamIdentity, StreamLine } from "./stream-lines.ts";

type ModelEvent = Extract<TurnEvent, { kind: "model" }>["event"];
type Whole = Extract<TurnEvent, { kind: "assistant" }>;
type Piece = Exclude<ModelEvent, { kind: "retry" }>;

const NO_USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/** How a block of each kind begins. */
function blockStart(piece: Piece): JsonObject {
  switch (piece.kind) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool-call":
      return { type: "tool_use", id: piece.id, name: piece.name, input: {} };
    case "tool-input":
      return { type: "tool_use", id: piece.id, name: "", input: {} };
  }
}

/** The text that a piece adds to a block; undefined for a piece that only begins a block. */
function deltaOf(piece: Piece): JsonObject | undefined {
  switch (piece.kind) {
    case "text":
      return { type: "text_delta", text: piece.text };
    case "thinking":
      return { type: "thinking_delta", thinking: piece.text };
    case "tool-input":
      return { type: "input_json_delta", partial_json: piece.text };
    case "tool-call":
      return undefined;
  }
}

/** The block that a piece belongs to. Calls are told apart by their ids. */
const blockKey = (piece: Piece): string => ("id" in piece ? `tool ${piece.id}` : piece.kind);

/** A message while the model writes it, as `stream_event` lines in the form of Claude Code. */
class PartialMessage {
  readonly #id = `msg_${randomUUID()}`;
  readonly #agent: string | null;
  readonly #identity: StreamIdentity;
  #index = -1;
  #block: string | undefined;

  constructor(identity: StreamIdentity, agent: string | null) {
    this.#identity = identity;
    this.#agent = agent;
  }

  begin(): StreamLine {
    const { model } = this.#identity;
    const message = { id: this.#id, type: "message", role: "assistant", model, content: [] };
    const start = { ...message, stop_reason: null, stop_sequence: null, usage: NO_USAGE };
    return this.#line({ type: "message_start", message: start });
  }

  take(piece: Piece): StreamLine[] {
    const lines: StreamLine[] = [];
    if (this.#block !== blockKey(piece)) {
      lines.push(...this.#endBlock());
      this.#index += 1;
      this.#block = blockKey(piece);
      lines.push(this.#line({ type: "content_block_start", index: this.#index, content_block: blockStart(piece) }));
    }
    const delta = deltaOf(piece);
    if (delta !== undefined) lines.push(this.#line({ type: "content_block_delta", index: this.#index, delta }));
    return lines;
  }

  /** The lines behind the whole message. */
  end({ stopReason, usage }: Whole): StreamLine[] {
    const delta = { stop_reason: stopReason, stop_sequence: null };
    return [
      ...this.#endBlock(),
      this.#line({ type: "message_delta", delta, usage: { ...usage } }),
      this.#line({ type: "message_stop" }),
    ];
  }

  /** The lines of a message that was broken off: none of its blocks counts. */
  abandon(): StreamLine[] {
    const abandoned = { api_message_id: this.#id, from_block_index: 0 };
    return [...this.#endBlock(), { ...this.#line({ type: "message_stop" }), abandoned_blocks: abandoned }];
  }

  #endBlock(): StreamLine[] {
    if (this.#block === undefined) return [];
    this.#block = undefined;
    return [this.#line({ type: "content_block_stop", index: this.#index })];
  }

  #line(event: JsonObject): StreamLine {
    return {
      type: "stream_event",
      event,
      session_id: this.#identity.sessionId,
      parent_tool_use_id: this.#agent,
      uuid: randomUUID(),
      api_message_id: this.#id,
    };
  }
}

/** Lines to print before and behind those that an event of a turn has anyway. */
export interface PartialLines {
  readonly before: readonly StreamLine[];
  readonly after: readonly StreamLine[];
}

const NO_LINES: PartialLines = { before: [], after: [] };

/**
 * Makes lines for messages while the model writes them. Sub-agents may write at the same time, each in separate
 * messages.
 */
export function createPartialLines(identity: StreamIdentity): {
  take(event: TurnEvent): PartialLines;
  /** The lines for messages that were broken off by the end of the turn. */
  end(): StreamLine[];
} {
  const open = new Map<string | null, PartialMessage>();
  const close = (agent: string | null): PartialMessage | undefined => {
    const message = open.get(agent);
    open.delete(agent);
    return message;
  };
  const say = (piece: Piece, agent: string | null): StreamLine[] => {
    const known = open.get(agent);
    if (known !== undefined) return known.take(piece);
    const message = new PartialMessage(identity, agent);
    open.set(agent, message);
    return [message.begin(), ...message.take(piece)];
  };
  return {
    take: (event) => {
      const agent = event.agent ?? null;
      if (event.kind === "assistant") return { before: [], after: close(agent)?.end(event) ?? [] };
      if (event.kind !== "model") return NO_LINES;
      if (event.event.kind === "retry") return { before: close(agent)?.abandon() ?? [], after: [] };
      return { before: say(event.event, agent), after: [] };
    },
    end: () => [...open.keys()].flatMap((agent) => close(agent)?.abandon() ?? []),
  };
}
