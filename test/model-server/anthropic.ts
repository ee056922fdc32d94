import type { JsonObject } from "claw-contract";
import type { ApiError, ApiRequest } from "./api-request.ts";
import { DEFAULT_INPUT_TOKENS, DEFAULT_OUTPUT_TOKENS } from "./api-request.ts";
import type { Answer, Block } from "./model-scenario.ts";
import type { SseEvent } from "./sse.ts";
import { pieces, sseEvent } from "./sse.ts";

type ContentBlock = JsonObject & { readonly type: string };

/** What is streamed as the input of a tool. */
export const inputTextOf = (block: Block): string => {
  if (block.kind !== "tool") return JSON.stringify(block.kind === "freeform-tool" ? { input: block.input } : {});
  return block.inputText ?? JSON.stringify(block.input);
};

function contentBlock(block: Block, request: ApiRequest, index: number): ContentBlock {
  if (block.kind === "text") return { type: "text", text: block.text };
  if (block.kind === "thinking") return { type: "thinking", thinking: block.text, signature: "c2lnbmVk" };
  const input = typeof block.input === "string" ? { input: block.input } : block.input;
  return { type: "tool_use", id: `toolu_${request.number}_${index}`, name: block.name, input };
}

function stopReason({ blocks, stop }: Answer): string {
  if (stop !== undefined) return stop;
  return blocks.some(({ kind }) => kind === "tool" || kind === "freeform-tool") ? "tool_use" : "end_turn";
}

const usage = (answer: Answer, outputTokens: number): JsonObject => {
  const { cacheCreationTokens: written = 0, cacheHourTokens: hour } = answer;
  const creation = { ephemeral_5m_input_tokens: written - (hour ?? 0), ephemeral_1h_input_tokens: hour ?? 0 };
  return {
    input_tokens: answer.inputTokens ?? DEFAULT_INPUT_TOKENS,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: answer.cacheReadTokens ?? 0,
    ...(hour === undefined ? {} : { cache_creation: creation }),
    output_tokens: outputTokens,
    service_tier: "standard",
  };
};

const outputTokens = (answer: Answer): number => answer.outputTokens ?? DEFAULT_OUTPUT_TOKENS;

/** The whole message, as a request without a stream gets it. */
export function anthropicMessage(answer: Answer, request: ApiRequest): JsonObject {
  return {
    id: `msg_${request.number}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: answer.blocks.map((block, index) => contentBlock(block, request, index)),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: usage(answer, outputTokens(answer)),
  };
}

/** A block before anything of it was streamed, and the deltas that make it whole. */
function split(
  block: ContentBlock,
  inputText: string,
): { readonly empty: ContentBlock; readonly deltas: readonly JsonObject[] } {
  const text = (name: string): string => String(block[name]);
  if (block.type === "text") {
    return {
      empty: { ...block, text: "" },
      deltas: pieces(text("text")).map((piece) => ({ type: "text_delta", text: piece })),
    };
  }
  if (block.type === "thinking") {
    return {
      empty: { ...block, thinking: "", signature: "" },
      deltas: [
        ...pieces(text("thinking")).map((piece) => ({ type: "thinking_delta", thinking: piece })),
        { type: "signature_delta", signature: text("signature") },
      ],
    };
  }
  return {
    empty: { ...block, input: {} },
    deltas: pieces(inputText).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  };
}

function blockEvents(said: Block, request: ApiRequest, index: number): SseEvent[] {
  const { empty, deltas } = split(contentBlock(said, request, index), inputTextOf(said));
  return [
    sseEvent({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map((delta) => sseEvent({ type: "content_block_delta", index, delta })),
    sseEvent({ type: "content_block_stop", index }),
  ];
}

/** The same message as the events of a stream. */
export function anthropicEvents(answer: Answer, request: ApiRequest): SseEvent[] {
  const message = anthropicMessage(answer, request);
  const begun = { ...message, content: [], stop_reason: null, usage: usage(answer, 1) };
  return [
    sseEvent({ type: "message_start", message: begun }),
    sseEvent({ type: "ping" }),
    ...answer.blocks.flatMap((block, index) => blockEvents(block, request, index)),
    sseEvent({
      type: "message_delta",
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: outputTokens(answer) },
    }),
    sseEvent({ type: "message_stop" }),
  ];
}

export const anthropicError = ({ type, message }: ApiError, request: ApiRequest): JsonObject => ({
  type: "error",
  error: { type, message },
  request_id: `req_${request.number}`,
});
