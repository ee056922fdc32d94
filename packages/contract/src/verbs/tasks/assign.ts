import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const assignTask = defineVerb({
  name: "tasks assign",
  group: "bus",
  summary: "Give a worker a task.",
  input: z.object({
    worker: WorkerRef.describe("Worker by id or name.").meta({ positional: 0 }),
    text: z.string().min(1).describe("What the worker is to do.").meta({ positional: 1 }),
    title: z.string().min(1).max(200).optional().describe("Title of the task; by default its first line."),
    deliver: z
      .enum(["publish", "inject", "both"])
      .default("publish")
      .describe("How the worker gets the task: as an event, typed into its terminal, or both."),
    dueSeconds: z.number().min(1).optional().describe("The task fails when it is not done after this many seconds."),
  }),
  output: z.object({
    task_id: z.string().nullable().describe("Null in a dry run."),
    title: z.string(),
    assignee: z.string().describe("Peer id of the worker."),
    assigned_at: z.string().nullable(),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "WORKER_NOT_FOUND"],
  effect: "write",
  examples: [{ description: "By name", command: "claw tasks assign worker 'Audit src/server.ts'" }],
});
