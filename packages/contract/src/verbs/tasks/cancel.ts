import * as z from "zod";
import { BUS_CHANGE_ERRORS, TaskRef } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const cancelTask = defineVerb({
  name: "tasks cancel",
  group: "bus",
  summary: "Ask a worker to give up a task. The worker closes the task.",
  input: z.object({
    taskId: TaskRef.meta({ positional: 0 }),
    reason: z.string().min(1).default("cancelled by claw tasks cancel").describe("Reason; the worker is told."),
  }),
  output: z.object({ task_id: z.string(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "TASK_NOT_FOUND"],
  effect: "write",
  examples: [{ description: "By its id", command: "claw tasks cancel t_001" }],
});
