import * as z from "zod";
import { defineRequest, loose, Word } from "../../define-request.ts";
import { TaskId } from "./task-id.ts";

export const cancelTaskRequest = defineRequest({
  name: "task.cancel",
  summary: "Asks the assignee to give up a task. The request itself does not close the task.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "task", field: "taskId" },
  request: z.object({ taskId: TaskId, reason: loose(Word) }),
  reply: z.object({}),
});
