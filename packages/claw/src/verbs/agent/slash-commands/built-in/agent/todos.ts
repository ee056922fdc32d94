import { declined, defineCommand, said } from "../../command.ts";

const MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

export const todos = defineCommand({
  name: "todos",
  responsibility: "Shows what the agent has noted as to be done.",
  interactiveOnly: true,
  run: async (_words, { session }) => {
    if (session === null) return declined("No session runs, so there is no task list.");
    const items = session.todos().map(({ status, content }) => `${MARKS[status]} ${content}`);
    return said(items.length === 0 ? "The task list is empty." : items.join("\n"));
  },
});
