import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireTask } from "./require-task.ts";

export const handler = handle("tasks update", {
  run: async ({ taskId, status, progress, note, dryRun }, ports) => {
    const about = { task_id: taskId, status };
    if (dryRun) {
      await requireTask(taskId, ports);
      return { ...about, effect: "would_update", would_affect: ["task.status"] };
    }
    const more = {
      ...(progress === undefined ? {} : { progressPct: progress }),
      ...(note === undefined ? {} : { note }),
    };
    await tellBus(ports, "task.update", { taskId, status, ...more });
    return { ...about, effect: "updated" };
  },
  show: ({ task_id, status, effect }) =>
    effect === "would_update" ? `Would say that ${task_id} is ${status}` : `Task ${task_id} is ${status}`,
});
