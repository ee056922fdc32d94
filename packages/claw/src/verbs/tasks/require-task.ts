import type { ReceivedReply } from "claw-contract";
import { ClawError } from "claw-contract";
import { askBus } from "../bus/ask-bus.ts";
import type { Ports } from "../runtime/handle.ts";

/** A task that is there. Throws TASK_NOT_FOUND. */
export async function requireTask(taskId: string, ports: Ports): Promise<ReceivedReply<"task.list">["tasks"][number]> {
  const { tasks } = await askBus(ports, "task.list");
  const found = tasks.find((task) => task.taskId === taskId);
  if (found !== undefined) return found;
  throw new ClawError("TASK_NOT_FOUND", `task not found: ${taskId}`, { operation: "find_task", target: taskId });
}
