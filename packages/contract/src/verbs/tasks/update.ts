import * as z from "zod";
import { OPEN_TASK_STATUSES } from "../../events/families/task.ts";
import { BUS_CHANGE_ERRORS, TaskRef } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const updateTask = defineVerb({
  name: "tasks update",
  group: "bus",
  summary: "Report the status of a task.",
  input: z.object({
    taskId: TaskRef.meta({ positional: 0 }),
    status: z.enum(OPEN_TASK_STATUSES).default("running").describe("New status of the task."),
    progress: z.number().min(0).max(100).optional().describe("How much is done, in percent."),
    note: z.string().min(1).optional().describe("Remark on the status."),
  }),
  output: z.object({ task_id: z.string(), status: z.string(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "TASK_NOT_FOUND"],
  effect: "write",
  examples: [{ description: "Half done", command: "claw tasks update t_001 --status running --progress 50" }],
});
