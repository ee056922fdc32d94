import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireTask } from "./require-task.ts";

export const handler = handle("tasks cancel", {
  run: async ({ taskId, reason, dryRun }, ports) => {
    if (dryRun) {
      const { assignee } = await requireTask(taskId, ports);
      return { task_id: taskId, effect: "would_update", would_affect: [`task.cancel_requested.${assignee}`] };
    }
    await tellBus(ports, "task.cancel", { taskId, reason });
    return { task_id: taskId, effect: "updated" };
  },
  show: ({ task_id, effect }) =>
    effect === "would_update" ? `Would ask to give up ${task_id}` : `Asked the worker to give up ${task_id}`,
});
