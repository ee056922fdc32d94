import type { JsonObject } from "claw-contract";
import type { ApiError, ApiRequest } from "./api-request.ts";
import { DEFAULT_INPUT_TOKENS, DEFAULT_OUTPUT_TOKENS } from "./api-request.ts";
import type { Answer, Block } from "./model-scenario.ts";
import type { SseEvent } from "./sse.ts";
import { pieces, sseEvent } from "./sse.ts";

type Item = JsonObject & { readonly type: string };
type EventData = JsonObject & { readonly type: string };

/** An item of the output, whole. */
function outputItem(block: Block, request: ApiRequest, index: number): Item {
  const place = `${request.number}_${index}`;
  switch (block.kind) {
    case "text": {
      const content = [{ type: "output_text", text: block.text, annotations: [] }];
      return { type: "message", id: `msg_${place}`, role: "assistant", status: "completed", content };
    }
    case "thinking": {
      return { type: "reasoning", id: `rs_${place}`, summary: [{ type: "summary_text", text: block.text }] };
    }
    case "tool": {
      const { name, input, namespace } = block;
      const call = { call_id: `call_${place}`, name, arguments: JSON.stringify(input) };
      const group = namespace === undefined ? {} : { namespace };
      return { type: "function_call", id: `fc_${place}`, status: "completed", ...call, ...group };
    }
    case "freeform-tool": {
      const call = { call_id: `call_${place}`, name: block.name, input: block.input };
      return { type: "custom_tool_call", id: `ctc_${place}`, status: "completed", ...call };
    }
  }
}

function textEvents(place: JsonObject, text: string): EventData[] {
  const part = { type: "output_text", annotations: [] };
  const at = { ...place, content_index: 0 };
  return [
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_text.done", ...at, text },
    { type: "response.content_part.done", ...at, part: { ...part, text } },
  ];
}

function reasoningEvents(place: JsonObject, text: string): EventData[] {
  const at = { ...place, summary_index: 0 };
  return [
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
    ...pieces(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
    { type: "response.reasoning_summary_text.done", ...at, text },
    { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } },
  ];
}

function callEvents(place: JsonObject, family: string, field: string, text: string): EventData[] {
  return [
    ...pieces(text).map((delta) => ({ type: `response.${family}.delta`, ...place, delta })),
    { type: `response.${family}.done`, ...place, [field]: text },
  ];
}

/** An item before anything of it was streamed, and the events that make it whole. */
function split(block: Block, item: Item, place: JsonObject): { empty: Item; events: EventData[] } {
  const begun = { ...item, status: "in_progress" };
  switch (block.kind) {
    case "text": {
      return { empty: { ...begun, content: [] }, events: textEvents(place, block.text) };
    }
    case "thinking": {
      return { empty: { ...item, summary: [] }, events: reasoningEvents(place, block.text) };
    }
    case "tool": {
      const events = callEvents(place, "function_call_arguments", "arguments", JSON.stringify(block.input));
      return { empty: { ...begun, arguments: "" }, events };
    }
    case "freeform-tool": {
      return {
        empty: { ...begun, input: "" },
        events: callEvents(place, "custom_tool_call_input", "input", block.input),
      };
    }
  }
}

function itemEvents(block: Block, item: Item, index: number): EventData[] {
  const { empty, events } = split(block, item, { item_id: item["id"], output_index: index });
  return [
    { type: "response.output_item.added", output_index: index, item: empty },
    ...events,
    { type: "response.output_item.done", output_index: index, item },
  ];
}

/** The whole response, as a request without a stream gets it. */
export function responseObject(answer: Answer, request: ApiRequest): JsonObject {
  const [input, output] = [answer.inputTokens ?? DEFAULT_INPUT_TOKENS, answer.outputTokens ?? DEFAULT_OUTPUT_TOKENS];
  return {
    id: `resp_${request.number}`,
    object: "response",
    model: request.model,
    status: answer.stop === undefined ? "completed" : "incomplete",
    incomplete_details: answer.stop === undefined ? null : { reason: incompleteReason(answer.stop) },
    error: null,
    output: answer.blocks.map((block, index) => outputItem(block, request, index)),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: answer.cacheReadTokens ?? 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

const incompleteReason = (stop: "max_tokens" | "refusal"): string =>
  stop === "max_tokens" ? "max_output_tokens" : "content_filter";

/** The same response as the events of a stream, numbered from 0. */
export function responseEvents(answer: Answer, request: ApiRequest): SseEvent[] {
  const whole = responseObject(answer, request);
  const begun = { ...whole, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const events: EventData[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...answer.blocks.flatMap((block, index) => itemEvents(block, outputItem(block, request, index), index)),
    { type: answer.stop === undefined ? "response.completed" : "response.incomplete", response: whole },
  ];
  return events.map((data, index) => sseEvent({ ...data, sequence_number: index }));
}

export const responseError = ({ type, message, code = type }: ApiError): JsonObject => ({
  error: { type, message, param: null, code },
});
