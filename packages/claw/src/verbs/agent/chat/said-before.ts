import type { SessionMessage } from "claw-contract";
import { blockText, parseObject } from "claw-contract";
import type { Agent } from "../../../agent/index.ts";

type TodoItem = ReturnType<Agent["todos"]["items"]>[number];

const TODO_TOOL = "todo_write";
const STATUSES: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"] satisfies TodoItem["status"][]);

/** Reads a to-do item as a model wrote it; undefined when the value is no to-do item. */
function readTodo(item: unknown): TodoItem | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { content, activeForm, status } = item as Partial<Record<keyof TodoItem, unknown>>;
  if (typeof content !== "string" || !STATUSES.has(status)) return undefined;
  return {
    content,
    activeForm: typeof activeForm === "string" ? activeForm : content,
    status: status as TodoItem["status"],
  };
}

function readTodos(input: string): readonly TodoItem[] {
  const todos = parseObject(input)?.["todos"];
  return Array.isArray(todos) ? todos.flatMap((item) => readTodo(item) ?? []) : [];
}

/** The prompts of the person in the given messages. */
export const promptsIn = (messages: readonly SessionMessage[]): string[] =>
  messages
    .filter(({ role }) => role === "user")
    .map(messageText)
    .filter((text) => text !== "");

const messageText = ({ blocks }: SessionMessage): string => blockText(blocks, "\n");

/** The last prompt and the last answer, to show to a person who resumes a session. */
export function lastExchange(messages: readonly SessionMessage[]): {
  readonly prompt: string;
  readonly answer: string;
} {
  const last = (role: SessionMessage["role"]): string =>
    messages
      .filter((message) => message.role === role)
      .map(messageText)
      .findLast((text) => text.trim() !== "") ?? "";
  return { prompt: last("user"), answer: last("assistant") };
}

/** The newest to-do list in the given messages; empty when every item is completed. */
export function lastTodos(messages: readonly SessionMessage[]): readonly TodoItem[] {
  const blocks = messages.flatMap((message) => message.blocks);
  const last = blocks.findLast((block) => block.type === "tool_use" && block.name === TODO_TOOL);
  const todos = last?.type === "tool_use" ? readTodos(last.input) : [];
  return todos.every(({ status }) => status === "completed") ? [] : todos;
}
