import type { ContentBlock, SessionMessage } from "claw-contract";

interface Judged {
  toWellFormed(): string;
}

/**
 * The text without halves of characters, which a cut may leave behind: providers refuse a request that holds one, and
 * then every later request of the same conversation.
 */
export const wellFormed = (text: string): string => (text as string & Judged).toWellFormed();

type ToolUse = Extract<ContentBlock, { type: "tool_use" }>;
type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

const isUse = (block: ContentBlock): block is ToolUse => block.type === "tool_use";
const isResult = (block: ContentBlock): block is ToolResult => block.type === "tool_result";

const lost = ({ id, name }: ToolUse): ToolResult => ({
  type: "tool_result",
  tool_use_id: id,
  tool_name: name,
  output: "The result of this call was not recorded.",
  is_error: true,
});

/**
 * The conversation with a result after every tool call, as every API requires. A missing result becomes an error
 * result. A result without a call is left out. Messages that need no change stay as they are.
 */
export function pairedMessages(messages: readonly SessionMessage[]): SessionMessage[] {
  const paired: SessionMessage[] = [];
  let open = new Map<string, ToolUse>();
  const closeCalls = (): void => {
    if (open.size > 0) paired.push({ role: "tool", blocks: [...open.values()].map(lost) });
    open = new Map();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      const blocks = message.blocks.filter((block) => isResult(block) && open.delete(block.tool_use_id));
      if (blocks.length > 0) paired.push(blocks.length === message.blocks.length ? message : { ...message, blocks });
      continue;
    }
    closeCalls();
    paired.push(message);
    if (message.role === "assistant") open = new Map(message.blocks.filter(isUse).map((use) => [use.id, use]));
  }
  closeCalls();
  return paired;
}
