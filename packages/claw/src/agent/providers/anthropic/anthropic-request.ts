import type { ContentBlock, SessionMessage } from "claw-contract";
import { objectOf, parseJson, stringOf } from "claw-contract";
import type { Messages } from "./anthropic-sdk.ts";
import { pairedMessages, wellFormed } from "../paired-messages.ts";
import type { ModelRequest } from "../provider.ts";

type BlockParam = Messages.ContentBlockParam;
type MessageParam = { role: "user" | "assistant"; content: BlockParam[] };

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/**
 * The API accepts letters, digits, `_` and `-`. A conversation begun with another provider may hold other characters.
 */
const safeName = (name: string): string => name.replaceAll(/[^\w-]/g, "_");

function thinkingParam(block: Extract<ContentBlock, { type: "thinking" }>): BlockParam[] {
  const redacted = stringOf(block["redacted"]);
  if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
  const { thinking, signature = "" } = block;
  return signature === "" ? [] : [{ type: "thinking", thinking, signature }];
}

function blockParams(block: ContentBlock): BlockParam[] {
  switch (block.type) {
    case "text": {
      // The API refuses empty and blank texts.
      return block.text.trim() === "" ? [] : [{ type: "text", text: wellFormed(block.text) }];
    }
    case "thinking": {
      return thinkingParam(block);
    }
    case "tool_use": {
      const { id, name, input } = block;
      return [{ type: "tool_use", id: safeName(id), name: safeName(name), input: objectOf(parseJson(input)) }];
    }
    case "tool_result": {
      const { tool_use_id: id, output, is_error } = block;
      return [{ type: "tool_result", tool_use_id: safeName(id), content: wellFormed(output), is_error }];
    }
  }
}

/** Messages for the API. Neighbours with the same role become one message; tool results count as the user's. */
function messageParams(messages: readonly SessionMessage[]): MessageParam[] {
  const params: MessageParam[] = [];
  for (const { role: said, blocks } of pairedMessages(messages)) {
    const role = said === "assistant" ? "assistant" : "user";
    const content = blocks.flatMap(blockParams);
    const last = params.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else params.push({ role, content });
  }
  return params;
}

/** Marks the end of the last user message: the provider caches the request up to there, for the next request. */
function withBreakpoint(params: readonly MessageParam[]): readonly MessageParam[] {
  const block = params.findLast(({ role }) => role === "user")?.content.at(-1);
  if (block !== undefined) Object.assign(block, CACHED);
  return params;
}

/** The same list, with the cache mark on the last item. */
const cachedLast = <T extends object>(items: readonly T[]): T[] =>
  items.map((item, index) => (index === items.length - 1 ? { ...item, ...CACHED } : item));

/** A request in the format of the Messages API. */
export function anthropicRequest(request: ModelRequest): Messages.MessageCreateParamsStreaming {
  const { model, system, messages, tools, maxOutputTokens } = request;
  const parts = system.filter((text) => text.trim() !== "");
  const offers = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema as Messages.Tool.InputSchema,
  }));
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    messages: [...withBreakpoint(messageParams(messages))],
    ...(parts.length === 0
      ? {}
      : { system: cachedLast(parts.map((text) => ({ type: "text" as const, text: wellFormed(text) }))) }),
    ...(offers.length === 0 ? {} : { tools: cachedLast(offers) }),
  };
}
