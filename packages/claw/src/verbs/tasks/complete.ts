import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireTask } from "./require-task.ts";

export const handler = handle("tasks complete", {
  run: async ({ taskId, status, result, dryRun }, ports) => {
    const about = { task_id: taskId, status };
    if (dryRun) {
      await requireTask(taskId, ports);
      return { ...about, effect: "would_update", would_affect: ["task.completed"] };
    }
    await tellBus(ports, "task.complete", { taskId, status, ...(result === undefined ? {} : { result }) });
    return { ...about, effect: "updated" };
  },
  show: ({ task_id, status, effect }) =>
    effect === "would_update" ? `Would close ${task_id} as ${status}` : `Task ${task_id} ${status}`,
});
