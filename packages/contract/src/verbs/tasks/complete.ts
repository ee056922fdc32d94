import * as z from "zod";
import { CLOSED_TASK_STATUSES } from "../../events/families/task.ts";
import { BUS_CHANGE_ERRORS, TaskRef } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const completeTask = defineVerb({
  name: "tasks complete",
  group: "bus",
  summary: "Close a task and say how it ended. A closed task stays unchanged.",
  input: z.object({
    taskId: TaskRef.meta({ positional: 0 }),
    status: z.enum(CLOSED_TASK_STATUSES).default("succeeded").describe("How the task ended."),
    result: z.string().optional().describe("Result of the task."),
  }),
  output: z.object({ task_id: z.string(), status: z.string(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "TASK_NOT_FOUND"],
  effect: "write",
  examples: [{ description: "Done", command: "claw tasks complete t_001 --result 'two issues found'" }],
});
