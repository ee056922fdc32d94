export const TODO_STATES = ["pending", "in_progress", "completed"] as const;

export interface TodoItem {
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
