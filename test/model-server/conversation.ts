import type { Attempt, ModelScenario, Turn } from "./model-scenario.ts";

/** What a tool gave. */
export interface ToolResult {
  readonly id: string;
  /** Of the tool, from the call with this id; empty when the request holds no such call. */
  readonly name: string;
  readonly output: string;
  readonly isError: boolean;
}

/** What of a request decides which turn it asks for. */
export interface Conversation {
  /** Texts of the user, in order. */
  readonly prompts: readonly string[];
  /** How many turns of the model it holds. */
  readonly turn: number;
  /** What the last tool gave, as text. */
  readonly output: string;
  /** What every tool gave, in order. */
  readonly results: readonly ToolResult[];
}

interface Part {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly text?: string;
  readonly content?: string | readonly Part[];
}

interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly Part[];
  readonly output?: unknown;
  readonly call_id?: string;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id?: string; readonly function?: { readonly name?: string } }[];
}

const textsOf = ({ content }: Pick<Message, "content">): string[] => {
  if (typeof content === "string") return [content];
  return (content ?? []).flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
};

const partsOf = ({ content }: Message): readonly Part[] => (typeof content === "string" ? [] : (content ?? []));

type Names = ReadonlyMap<string | undefined, string | undefined>;

const toolResult = (id: string | undefined, names: Names, output: string, isError = false): ToolResult => ({
  id: id ?? "",
  name: names.get(id) ?? "",
  output,
  isError,
});

const lastOutput = (results: readonly ToolResult[]): string => results.at(-1)?.output ?? "";

/** A request of the Messages API: every assistant message is a turn. */
export function readMessages(body: { readonly messages?: readonly Message[] }): Conversation {
  const messages = body.messages ?? [];
  const parts = messages.flatMap(partsOf);
  const names = new Map(parts.filter(({ type }) => type === "tool_use").map(({ id, name }) => [id, name]));
  const results = parts
    .filter(({ type }) => type === "tool_result")
    .map((part) => toolResult(part.tool_use_id, names, textsOf(part).join(""), part.is_error));
  return {
    prompts: messages.filter(({ role }) => role === "user").flatMap(textsOf),
    turn: messages.filter(({ role }) => role === "assistant").length,
    output: lastOutput(results),
    results,
  };
}

/** A request of the Chat Completions API: every assistant message is a turn, every tool message a result. */
export function readChat(body: { readonly messages?: readonly Message[] }): Conversation {
  const messages = body.messages ?? [];
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function?.name]));
  const results = messages
    .filter(({ role }) => role === "tool")
    .map((message) => toolResult(message.tool_call_id, names, textsOf(message).join("")));
  return {
    prompts: messages.filter(({ role }) => role === "user").flatMap(textsOf),
    turn: messages.filter(({ role }) => role === "assistant").length,
    output: lastOutput(results),
    results,
  };
}

/** Items that the model wrote; what one answer held stands in a row. */
const isOutput = ({ type, role }: Message): boolean =>
  role === "assistant" || type === "reasoning" || (type?.endsWith("_call") ?? false);

/** A request of the Responses API: every row of items of the model is a turn. */
export function readInput(body: { readonly input?: string | readonly Message[] }): Conversation {
  const { input = [] } = body;
  if (typeof input === "string") return { prompts: [input], turn: 0, output: "", results: [] };
  const names = new Map(input.filter(isOutput).map(({ call_id, name }) => [call_id, name]));
  const results = input
    .filter(({ output }) => output !== undefined)
    .map(({ call_id, output }) => toolResult(call_id, names, String(output)));
  return {
    prompts: input.filter(({ role }) => role === "user").flatMap(textsOf),
    turn: input.filter((item, index) => isOutput(item) && !isOutput(input[index - 1] ?? {})).length,
    output: lastOutput(results),
    results,
  };
}

/** The turns a conversation follows, and which conversation of the scenario it is. */
export function turnsFor(
  scenario: ModelScenario,
  prompts: readonly string[],
): { turns: readonly Turn[]; name: string } {
  const own = scenario.conversations?.find(({ prompt }) => prompts.some((text) => text.includes(prompt)));
  return own === undefined ? { turns: scenario.turns, name: "" } : { turns: own.turns, name: own.prompt };
}

const SILENCE: Attempt = { kind: "answer", blocks: [] };

/** What is said in a turn at that attempt. */
export function attemptOf(turns: readonly Turn[], conversation: Conversation, attempt: number): Attempt {
  const said = turns[Math.min(conversation.turn, turns.length - 1)] ?? SILENCE;
  if (typeof said === "function") return said(conversation);
  const attempts: readonly Attempt[] = Array.isArray(said) ? said : [said as Attempt];
  return attempts[Math.min(attempt, attempts.length - 1)] ?? SILENCE;
}

function memberOf(json: string, name: string): string {
  try {
    return String((JSON.parse(json) as Record<string, unknown>)[name]);
  } catch {
    return "";
  }
}

/** Puts what is known of a request into the strings of a scenario. */
export function fillIn<T>(data: T, { run, output }: { readonly run: string; readonly output: string }): T {
  const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
  const filled = JSON.stringify(data)
    .replaceAll("__RUN__", () => quoted(run))
    .replaceAll(/__OUTPUT\.(\w+?)__/g, (_, name: string) => quoted(memberOf(output, name)));
  return JSON.parse(filled) as T;
}
