import type { Attempt, ModelScenario, Turn } from "./model-scenario.ts";

/** What of a request decides which turn it asks for. */
export interface Conversation {
  /** Texts of the user, in order. */
  readonly prompts: readonly string[];
  /** How many turns of the model it holds. */
  readonly turn: number;
  /** What the last tool gave, as text. */
  readonly output: string;
}

interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly content?: string | readonly Part[];
}

interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly Part[];
  readonly output?: unknown;
}

const textsOf = ({ content }: Pick<Message, "content">): string[] => {
  if (typeof content === "string") return [content];
  return (content ?? []).flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
};

const partsOf = ({ content }: Message): readonly Part[] => (typeof content === "string" ? [] : (content ?? []));

const isToolResult = ({ type }: Part): boolean => type === "tool_result";

/** A request of the Messages API: every assistant message is a turn. */
export function readMessages(body: { readonly messages?: readonly Message[] }): Conversation {
  const messages = body.messages ?? [];
  return {
    prompts: messages.filter(({ role }) => role === "user").flatMap(textsOf),
    turn: messages.filter(({ role }) => role === "assistant").length,
    output: messages.flatMap(partsOf).filter(isToolResult).map(textsOf).at(-1)?.join("") ?? "",
  };
}

/** Items that the model wrote; what one answer held stands in a row. */
const isOutput = ({ type, role }: Message): boolean =>
  role === "assistant" || type === "reasoning" || (type?.endsWith("_call") ?? false);

/** A request of the Responses API: every row of items of the model is a turn. */
export function readInput(body: { readonly input?: string | readonly Message[] }): Conversation {
  const { input = [] } = body;
  if (typeof input === "string") return { prompts: [input], turn: 0, output: "" };
  return {
    prompts: input.filter(({ role }) => role === "user").flatMap(textsOf),
    turn: input.filter((item, index) => isOutput(item) && !isOutput(input[index - 1] ?? {})).length,
    output: String(input.findLast(({ output }) => output !== undefined)?.output ?? ""),
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
export function attemptOf(turns: readonly Turn[], turn: number, attempt: number): Attempt {
  const said = turns[Math.min(turn, turns.length - 1)] ?? SILENCE;
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
