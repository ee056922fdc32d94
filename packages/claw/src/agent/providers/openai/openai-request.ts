import { parseJson } from "claw-contract";
import type { ContentBlock, SessionMessage } from "claw-contract";
import type { OpenAI } from "./openai-sdk.ts";
import { pairedMessages, wellFormed } from "../paired-messages.ts";
import type { ModelRequest } from "../provider.ts";

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type MessageParam = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const NEW_LIMIT_MODELS = /(^|\/)(gpt-[5-9]|o\d)/;

const join = (texts: readonly string[], separator: string): string =>
  wellFormed(texts.filter((text) => text !== "").join(separator));

const textsOf = (blocks: readonly ContentBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));

/** Thoughts without a signature. A signed thought belongs to another provider. */
const thoughtsOf = (blocks: readonly ContentBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === "thinking" && block.signature === undefined ? [block.thinking] : []));

function assistantParam(blocks: readonly ContentBlock[], sendsThoughts: boolean): MessageParam[] {
  const calls = blocks.flatMap((block) =>
    block.type === "tool_use"
      ? [{ id: block.id, type: "function" as const, function: { name: block.name, arguments: block.input } }]
      : [],
  );
  const content = join(textsOf(blocks), "");
  const thoughts = sendsThoughts ? join(thoughtsOf(blocks), "") : "";
  if (content === "" && calls.length === 0) return [];
  const param: MessageParam = {
    role: "assistant",
    content: content === "" ? null : content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return [thoughts === "" ? param : Object.assign(param, { reasoning_content: thoughts })];
}

function messageParams({ role, blocks }: SessionMessage, sendsThoughts: boolean): MessageParam[] {
  if (role === "assistant") return assistantParam(blocks, sendsThoughts);
  if (role === "tool") {
    return blocks.flatMap((block) =>
      block.type === "tool_result"
        ? [{ role: "tool" as const, tool_call_id: block.tool_use_id, content: wellFormed(block.output) }]
        : [],
    );
  }
  const content = join(textsOf(blocks), "\n\n");
  return content === "" ? [] : [{ role: "user", content }];
}

const isJson = (text: string): boolean => parseJson(text) !== undefined;

/** Replaces inputs that are not JSON: servers read the arguments of past calls, and some servers fail on other text. */
const withReadableInputs = (message: SessionMessage): SessionMessage =>
  message.role !== "assistant"
    ? message
    : {
        ...message,
        blocks: message.blocks.map((block) =>
          block.type === "tool_use" && !isJson(block.input) ? { ...block, input: "{}" } : block,
        ),
      };

/** A request in the format of the Chat Completions API. `sendsThoughts`: the server wants the model's thoughts back. */
export function openAiRequest(request: ModelRequest, sendsThoughts: boolean): Params {
  const { model, system, messages, tools, maxOutputTokens } = request;
  const prompt = join(system, "\n\n");
  const limit = NEW_LIMIT_MODELS.test(model) ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    [limit]: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(prompt === "" ? [] : [{ role: "system" as const, content: prompt }]),
      ...pairedMessages(messages).flatMap((message) => messageParams(withReadableInputs(message), sendsThoughts)),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function" as const,
            function: { name, description, parameters: inputSchema },
          })),
        }),
  };
}
