import * as z from "zod";
import { TASK_STATUSES } from "../../events/families/task.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const listTasks = defineVerb({
  name: "tasks list",
  alone: true,
  group: "bus",
  summary: "List the tasks of this folder with their status.",
  input: z.object({
    assignee: z.string().optional().describe("Only tasks of this peer."),
    status: z.enum(TASK_STATUSES).optional().describe("Only tasks with this status."),
  }),
  output: z.object({
    tasks_count: Count,
    tasks: z.array(
      z.looseObject({
        task_id: z.string(),
        title: z.string(),
        assignee: z.string(),
        status: z.string(),
        updated_at: z.string(),
      }),
    ),
  }),
  errors: BUS_ERRORS,
  effect: "read",
  examples: [{ description: "Blocked tasks", command: "claw tasks list --status blocked" }],
});
