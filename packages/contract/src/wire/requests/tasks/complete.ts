import * as z from "zod";
import { Artifact } from "../../../events/fields.ts";
import { CLOSED_TASK_STATUSES } from "../../../events/families/task.ts";
import { defineRequest, judged } from "../../define-request.ts";
import { TaskId } from "./task-id.ts";

export const completeTaskRequest = defineRequest({
  name: "task.complete",
  summary: "Closes a task. A worker may close its own tasks. Closing a closed task changes nothing.",
  from: ["worker", "orchestrator"],
  effect: "write",
  routedBy: { names: "task", field: "taskId" },
  request: z.object({
    taskId: TaskId,
    status: judged(z.enum(CLOSED_TASK_STATUSES).describe("Required.")),
    result: judged(z.unknown().describe("Result of the task.")),
    artifacts: judged(z.array(Artifact).describe("Files that the worker hands over.")),
  }),
  reply: z.object({}),
});
