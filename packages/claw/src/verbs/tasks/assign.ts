import { isoTime } from "claw-contract";
import { onBus, peerIdOf } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";

const TITLE_CHARS = 80;

const titleOf = (text: string): string => (text.trim().split("\n")[0] ?? "").slice(0, TITLE_CHARS);

export const handler = handle("tasks assign", {
  run: ({ worker, text, title = titleOf(text), deliver, dueSeconds, dryRun }, ports) =>
    onBus(ports, async (bus) => {
      const assignee = await peerIdOf(bus, worker);
      if (dryRun) {
        const affected = [`task.assigned.${assignee}`];
        return { task_id: null, title, assignee, assigned_at: null, effect: "would_create", would_affect: affected };
      }
      const due = dueSeconds === undefined ? {} : { timeoutMs: dueSeconds * 1000 };
      const fields = { title, assignee, prompt: text, deliver, ...due };
      const { taskId, assignedAt } = await bus.request("task.assign", fields);
      return { task_id: taskId, title, assignee, assigned_at: isoTime(assignedAt), effect: "created" };
    }),
  show: ({ task_id, assignee, title }, paint) =>
    task_id === null
      ? `Would give ${assignee} the task "${title}"`
      : `Task ${paint.bold(task_id)} for ${assignee}: ${title}. Follow it with claw tasks.`,
});
