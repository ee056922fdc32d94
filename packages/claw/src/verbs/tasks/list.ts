import type { ReceivedReply } from "claw-contract";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";
import { watchBus } from "../bus/ask-bus.ts";

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a task as claw spells them: times that the wire counts in milliseconds are ISO. */
function taskOf({ taskId, title, assignee, status, updatedAt, ...more }: ReceivedReply<"task.list">["tasks"][number]) {
  const fields = Object.entries(more).map(([name, value]) => [
    snakeCase(name),
    name.endsWith("At") && typeof value === "number" ? new Date(value).toISOString() : value,
  ]);
  const known = { task_id: taskId, title, assignee, status, updated_at: new Date(updatedAt).toISOString() };
  return { ...known, ...(Object.fromEntries(fields) as Readonly<Record<string, unknown>>) };
}

export const handler = handle("tasks list", {
  run: async ({ assignee, status }, ports) => {
    return watchBus(ports, async (bus) => {
      const wanted = { ...(assignee === undefined ? {} : { assignee }), ...(status === undefined ? {} : { status }) };
      const { tasks: known } = await bus.request("task.list", wanted);
      const tasks = known.map(taskOf);
      return { tasks_count: tasks.length, tasks };
    });
  },
  show: ({ tasks }, paint) => {
    if (tasks.length === 0) return "No tasks.";
    const rows = tasks.map((task) => [
      task.task_id,
      task.status,
      task.assignee,
      ago(task.updated_at, Date.now()),
      task.title,
    ]);
    return table(["TASK", "STATUS", "ASSIGNEE", "CHANGED", "TITLE"], rows, paint);
  },
});
