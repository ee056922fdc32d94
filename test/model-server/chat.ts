import type { JsonObject } from "claw-contract";
import { inputTextOf } from "./anthropic.ts";
import type { ApiRequest } from "./api-request.ts";
import { DEFAULT_INPUT_TOKENS, DEFAULT_OUTPUT_TOKENS } from "./api-request.ts";
import type { Answer, Block } from "./model-scenario.ts";
import type { SseEvent } from "./sse.ts";
import { pieces } from "./sse.ts";

const CREATED = 1_700_000_000;

const isTool = ({ kind }: Block): boolean => kind === "tool" || kind === "freeform-tool";

function finishReason({ blocks, stop }: Answer): string {
  if (stop !== undefined) return stop === "max_tokens" ? "length" : "content_filter";
  return blocks.some(isTool) ? "tool_calls" : "stop";
}

/** What the prompt held counts whole, the cached part of it too. */
function usage({ inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 }: Answer): JsonObject {
  const prompt = (inputTokens ?? DEFAULT_INPUT_TOKENS) + cacheReadTokens + cacheCreationTokens;
  const completion = outputTokens ?? DEFAULT_OUTPUT_TOKENS;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
}

const toolCall = (block: Block, request: ApiRequest, index: number): JsonObject => ({
  id: `call_${request.number}_${index}`,
  type: "function",
  function: { name: "name" in block ? block.name : "", arguments: inputTextOf(block) },
});

const joined = (blocks: readonly Block[], kind: "text" | "thinking"): string | null => {
  const texts = blocks.flatMap((block) => (block.kind === kind ? [block.text] : []));
  return texts.length === 0 ? null : texts.join("");
};

/** The whole completion, as a request without a stream gets it. */
export function chatCompletion(answer: Answer, request: ApiRequest): JsonObject {
  const thinking = joined(answer.blocks, "thinking");
  const calls = answer.blocks.filter(isTool).map((block, index) => toolCall(block, request, index));
  const message = {
    role: "assistant",
    content: joined(answer.blocks, "text"),
    ...(thinking === null ? {} : { reasoning_content: thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id: `chatcmpl-${request.number}`,
    object: "chat.completion",
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    ...(answer.counts === false ? {} : { usage: usage(answer) }),
  };
}

function toolDeltas(block: Block, request: ApiRequest, index: number): JsonObject[] {
  const call = toolCall(block, request, index);
  const { name } = call["function"] as { name: string };
  return [
    { tool_calls: [{ index, ...call, function: { name, arguments: "" } }] },
    ...pieces(inputTextOf(block)).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function deltas({ blocks }: Answer, request: ApiRequest): JsonObject[] {
  const tools = blocks.filter(isTool);
  return blocks.flatMap((block): JsonObject[] => {
    if (block.kind === "text") return pieces(block.text).map((piece) => ({ content: piece }));
    if (block.kind === "thinking") return pieces(block.text).map((piece) => ({ reasoning_content: piece }));
    return toolDeltas(block, request, tools.indexOf(block));
  });
}

/** The same completion as the events of a stream: without names, and with a last one that is no JSON. */
export function chatEvents(answer: Answer, request: ApiRequest): SseEvent[] {
  const base = { id: `chatcmpl-${request.number}`, object: "chat.completion.chunk", created: CREATED };
  const counted = request.includeUsage === true && answer.counts !== false;
  const chunk = (choices: JsonObject[], more: JsonObject = counted ? { usage: null } : {}): JsonObject => ({
    ...base,
    model: request.model,
    choices,
    ...more,
  });
  const saying = (delta: JsonObject): JsonObject => chunk([{ index: 0, delta, finish_reason: null }]);
  const chunks = [
    saying({ role: "assistant", content: "" }),
    ...deltas(answer, request).map(saying),
    chunk([{ index: 0, delta: {}, finish_reason: finishReason(answer) }]),
    ...(counted ? [chunk([], { usage: usage(answer) })] : []),
  ];
  return [...chunks.map((data) => JSON.stringify(data)), "[DONE]"].map((data) => ({ event: "", data }));
}
