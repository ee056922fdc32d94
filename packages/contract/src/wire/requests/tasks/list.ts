import * as z from "zod";
import { TASK_STATUSES, TaskAssigned } from "../../../events/families/task.ts";
import { defineRequest, judged, loose, Word } from "../../define-request.ts";

export const listTasksRequest = defineRequest({
  name: "task.list",
  summary: "Lists tasks, in the order in which they were assigned.",
  from: "any client",
  effect: "read",
  request: z.object({
    assignee: judged(Word.describe("Only tasks of this peer.")),
    status: judged(z.enum(TASK_STATUSES).describe("Only tasks with this status.")),
    since: loose(z.number()).describe("Only tasks that changed since then, in milliseconds."),
  }),
  reply: z.object({ tasks: z.array(TaskAssigned) }),
});
