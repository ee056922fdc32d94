import { expect } from "vitest";

interface ToolDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolDelta[];
}

interface Chunk {
  readonly object: string;
  readonly choices: readonly { readonly index: number; readonly delta: Delta; readonly finish_reason: string | null }[];
  readonly usage?: unknown;
}

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; arguments: string };
}

interface Message {
  content: string | null;
  thinking: string | null;
  readonly calls: Call[];
}

/** The first piece of a call names it; the others have its index alone. */
function takeCall(calls: Call[], { index, id, type, function: piece }: ToolDelta): void {
  if (index === calls.length) {
    expect([id, type, piece.name]).toEqual([expect.any(String), "function", expect.any(String)]);
    calls.push({ id: String(id), type: "function", function: { name: String(piece.name), arguments: "" } });
  } else expect([index, id, piece.name]).toEqual([calls.length - 1, undefined, undefined]);
  const call = calls[index] as Call;
  call.function.arguments += piece.arguments;
}

function take(message: Message, { content, reasoning_content: thinking, tool_calls: calls = [] }: Delta): void {
  if (content !== undefined) message.content = (message.content ?? "") + content;
  if (thinking !== undefined) message.thinking = (message.thinking ?? "") + thinking;
  for (const call of calls) takeCall(message.calls, call);
}

const whole = ({ content, thinking, calls }: Message): unknown => ({
  role: "assistant",
  content,
  ...(thinking === null ? {} : { reasoning_content: thinking }),
  ...(calls.length === 0 ? {} : { tool_calls: calls }),
});

/** Reads the data of a stream as a client does, refuses what breaks the grammar, and returns the completion it makes. */
export function readChatStream(data: readonly string[]): unknown {
  expect(data.at(-1)).toBe("[DONE]");
  const chunks = data.slice(0, -1).map((text) => JSON.parse(text) as Chunk);
  const [first, ...rest] = chunks;
  expect(first?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
  const last = rest.at(-1)?.choices.length === 0 ? rest.pop() : undefined;
  const end = rest.pop();
  expect(end?.choices).toEqual([{ index: 0, delta: {}, finish_reason: expect.any(String) as string }]);
  const message: Message = { content: null, thinking: null, calls: [] };
  for (const { choices, usage } of rest) {
    expect([choices.length, choices[0]?.index, choices[0]?.finish_reason, usage ?? null]).toEqual([1, 0, null, null]);
    take(message, choices[0]?.delta ?? {});
  }
  const { usage: _none, ...base } = { ...first };
  return {
    ...base,
    object: "chat.completion",
    choices: [{ index: 0, message: whole(message), finish_reason: end?.choices[0]?.finish_reason }],
    ...(last === undefined ? {} : { usage: last.usage }),
  };
}
