import { handle } from "./handle.ts";
import { openObserver } from "./open-bus.ts";
import { ago, table } from "./text-layout.ts";

interface WireTask {
  readonly taskId: string;
  readonly title: string;
  readonly assignee: string;
  readonly status: string;
  readonly updatedAt: number | string;
}

export const handler = handle("tasks", {
  run: async ({ assignee, status }, ports) => {
    const bus = await openObserver(ports);
    try {
      const wanted = { ...(assignee === undefined ? {} : { assignee }), ...(status === undefined ? {} : { status }) };
      const reply = await bus.request("task.list", wanted);
      const tasks = (reply["tasks"] as readonly WireTask[]).map(({ taskId, updatedAt, ...task }) => ({
        task_id: taskId,
        ...task,
        updated_at: new Date(updatedAt).toISOString(),
      }));
      return { tasks_count: tasks.length, tasks };
    } finally {
      await bus.close();
    }
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
