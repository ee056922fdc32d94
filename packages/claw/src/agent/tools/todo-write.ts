import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../permissions/tool-names.ts";
import { toolAnswer } from "./tool-answer.ts";
import type { ToolDeps } from "./tool-deps.ts";
import type { AnyTool } from "./tool.ts";
import { defineTool } from "./tool.ts";

const TODO_STATES = ["pending", "in_progress", "completed"] as const;

interface TodoItem {
  readonly content: string;
  readonly activeForm: string;
  readonly status: (typeof TODO_STATES)[number];
}

/** The agent's list of tasks, kept while its session is open. */
export interface TodoList {
  items(): readonly TodoItem[];
  replace(items: readonly TodoItem[]): void;
}

export function createTodoList(): TodoList {
  let current: readonly TodoItem[] = [];
  return {
    items: () => current,
    replace: (items) => {
      current = items;
    },
  };
}

const Text = z.string().min(1).max(LIMITS.todoChars);

const Item = z.object({
  content: Text.describe("What is to be done."),
  activeForm: Text.describe("The same while it is being done: 'Running the tests'."),
  status: z.enum(TODO_STATES),
});

const Input = z.object({ todos: z.array(Item).max(LIMITS.todoItems).describe("The whole list, in order.") });

const VERIFYING = /\b(?:test|verif|check|lint|build)/i;
/** From this many items on, a completed list is cleared. If no item checked the result, the answer says that. */
const NUDGE_ITEMS = 3;

/** Keeps the list of what is to be done. */
export function createTodoWrite({ todos }: Pick<ToolDeps, "todos">): AnyTool {
  return defineTool<z.infer<typeof Input>>({
    name: "todo_write",
    aliases: TOOL_ALIASES.todo_write,
    responsibility: "Keeps the list of what is to be done in this session.",
    description:
      "Replaces the list of tasks of this session. Use it for work of several steps; keep one task in_progress, and mark each completed when it is done.",
    sourceHint: "docs/agent/tools.md#todo_write",
    input: Input,
    mainField: "todos",
    readOnly: false,
    requires: "read-only",
    need: () => ({ kind: "nothing" }),
    subject: () => "",
    run: async ({ todos: newTodos }, _call, signal) => {
      signal.throwIfAborted();
      const oldTodos = todos.items();
      const isDone = newTodos.length >= NUDGE_ITEMS && newTodos.every(({ status }) => status === "completed");
      // A completed list is cleared, so that the next list starts empty.
      todos.replace(isDone ? [] : newTodos);
      const verificationNudgeNeeded = isDone && !newTodos.some(({ content }) => VERIFYING.test(content));
      return toolAnswer({ oldTodos, newTodos, verificationNudgeNeeded });
    },
  });
}
