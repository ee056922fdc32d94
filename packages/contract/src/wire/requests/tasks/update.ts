import * as z from "zod";
import { OPEN_TASK_STATUSES } from "../../../events/families/task.ts";
import { defineRequest, judged } from "../../define-request.ts";
import { TaskId } from "./task-id.ts";

export const updateTaskRequest = defineRequest({
  name: "task.update",
  summary: "Reports the status of an open task. A worker may do so for its own tasks.",
  from: ["worker", "orchestrator"],
  effect: "write",
  routedBy: { names: "task", field: "taskId" },
  request: z.object({
    taskId: TaskId,
    status: judged(z.enum(OPEN_TASK_STATUSES).describe("Required.")),
    progressPct: judged(z.number().min(0).describe("Share done, in percent.")),
    note: judged(z.string().describe("Remark on the status.")),
  }),
  reply: z.object({}),
});
