import type { JsonObject } from "claw-contract";
import type { ApiError, ApiRequest } from "./api-request.ts";
import { DEFAULT_INPUT_TOKENS, DEFAULT_OUTPUT_TOKENS } from "./api-request.ts";
import type { Conversation, ToolResult } from "./conversation.ts";
import type { Answer, Block } from "./model-scenario.ts";
import type { SseEvent } from "./sse.ts";
import { pieces } from "./sse.ts";

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response?: JsonObject };
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

function resultOf({ functionResponse }: Part): ToolResult[] {
  if (functionResponse === undefined) return [];
  const { id = "", name, response = {} } = functionResponse;
  const { output, error } = response;
  const text = typeof output === "string" ? output : typeof error === "string" ? error : JSON.stringify(response);
  return [{ id, name, output: text, isError: error !== undefined }];
}

/** A request of the Gemini API: every row of contents of the model is a turn. */
export function readContents(body: { readonly contents?: readonly Content[] }): Conversation {
  const contents = body.contents ?? [];
  const isModel = (content: Content | undefined): boolean => content?.role === "model";
  const results = contents.flatMap(({ parts = [] }) => parts.flatMap(resultOf));
  return {
    prompts: contents
      .filter((content) => !isModel(content))
      .flatMap(({ parts = [] }) => parts.flatMap(({ text }) => (text === undefined ? [] : [text]))),
    turn: contents.filter((content, index) => isModel(content) && !isModel(contents[index - 1])).length,
    output: results.at(-1)?.output ?? "",
    results,
  };
}

function partOf(block: Block, request: ApiRequest, index: number): JsonObject {
  switch (block.kind) {
    case "text": {
      return { text: block.text };
    }
    case "thinking": {
      return { text: block.text, thought: true };
    }
    case "tool": {
      return { functionCall: { id: `call_${request.number}_${index}`, name: block.name, args: block.input } };
    }
    case "freeform-tool": {
      return {
        functionCall: { id: `call_${request.number}_${index}`, name: block.name, args: { input: block.input } },
      };
    }
  }
}

const FINISH = { max_tokens: "MAX_TOKENS", refusal: "SAFETY" } as const;

function chunk(parts: JsonObject[], answer: Answer, parameters: { request: ApiRequest; isLast: boolean }): JsonObject {
  const { request, isLast } = parameters;
  const [prompt, said] = [answer.inputTokens ?? DEFAULT_INPUT_TOKENS, answer.outputTokens ?? DEFAULT_OUTPUT_TOKENS];
  const finishReason = answer.stop === undefined ? "STOP" : FINISH[answer.stop];
  const counts = { promptTokenCount: prompt, candidatesTokenCount: said, totalTokenCount: prompt + said };
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(isLast ? { finishReason } : {}) }],
    modelVersion: request.model,
    responseId: `gen_${request.number}`,
    ...(isLast ? { usageMetadata: counts } : {}),
  };
}

/** The whole answer, as a request without a stream gets it. */
export const generatedContent = (answer: Answer, request: ApiRequest): JsonObject =>
  chunk(
    answer.blocks.map((block, index) => partOf(block, request, index)),
    answer,
    { request, isLast: true },
  );

/** The same answer in pieces: texts are cut, calls come whole, and the last piece has no part. */
export function generatedEvents(answer: Answer, request: ApiRequest): SseEvent[] {
  const parts = answer.blocks.flatMap((block, index) =>
    block.kind === "text" ? pieces(block.text).map((text): JsonObject => ({ text })) : [partOf(block, request, index)],
  );
  const chunks = [
    ...parts.map((part) => chunk([part], answer, { request, isLast: false })),
    chunk([], answer, { request, isLast: true }),
  ];
  return chunks.map((data) => ({ event: "", data: JSON.stringify(data) }));
}

export const generateError = ({ type, message }: ApiError): JsonObject => ({
  error: { code: 400, message, status: type.toUpperCase() },
});
