import * as z from "zod";
import { CLOSED_TASK_STATUSES, OPEN_TASK_STATUSES, TASK_STATUSES } from "../../events/families/task.ts";
import { closePipelineRequest } from "../../wire/requests/pipelines/close.ts";
import { createPipelineRequest } from "../../wire/requests/pipelines/create.ts";
import { listPipelinesRequest } from "../../wire/requests/pipelines/list.ts";
import { assignTaskRequest } from "../../wire/requests/tasks/assign.ts";
import { listTasksRequest } from "../../wire/requests/tasks/list.ts";
import { defineTool } from "../define-tool.ts";

const Ok = z.object({ ok: z.literal(true) });
const TaskName = z.string().min(1);

export const TASK_TOOLS = {
  claws_task_assign: defineTool({
    name: "claws_task_assign",
    title: "Assign a task",
    description: "Assign a task to a connected peer.",
    input: z.object({
      title: z.string().min(1),
      assignee: z.string().min(1).describe("Peer id."),
      prompt: z.string().min(1),
      timeoutMs: z.number().positive().optional(),
      deliver: z.enum(["publish", "inject", "both"]).optional(),
    }),
    output: assignTaskRequest.reply,
    effect: { leads: true },
  }),
  claws_task_update: defineTool({
    name: "claws_task_update",
    title: "Report on a task",
    description: "Report how far a task is.",
    input: z.object({
      taskId: TaskName,
      status: z.enum(OPEN_TASK_STATUSES),
      progressPct: z.number().min(0).optional(),
      note: z.string().optional(),
    }),
    output: Ok,
    effect: {},
  }),
  claws_task_complete: defineTool({
    name: "claws_task_complete",
    title: "Close a task",
    description: "Close a task with its result.",
    input: z.object({
      taskId: TaskName,
      status: z.enum(CLOSED_TASK_STATUSES),
      result: z.unknown().optional(),
      artifacts: z.array(z.looseObject({ path: z.string() })).optional(),
    }),
    output: Ok,
    effect: { repeatable: true },
  }),
  claws_task_cancel: defineTool({
    name: "claws_task_cancel",
    title: "Cancel a task",
    description: "Ask the assignee to give up a task.",
    input: z.object({ taskId: TaskName, reason: z.string().optional() }),
    output: Ok,
    effect: { leads: true, destroys: true },
  }),
  claws_task_list: defineTool({
    name: "claws_task_list",
    title: "List tasks",
    description: "List tasks, in the order in which they were assigned.",
    input: z.object({
      assignee: z.string().optional(),
      status: z.enum(TASK_STATUSES).optional(),
      since: z.number().optional(),
    }),
    output: listTasksRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_pipeline_create: defineTool({
    name: "claws_pipeline_create",
    title: "Join terminals",
    description: "Type what one terminal prints into another.",
    input: z.object({
      name: z.string().optional(),
      steps: z.array(z.looseObject({ role: z.enum(["source", "sink"]), terminalId: z.string() })).min(2),
    }),
    output: createPipelineRequest.reply,
    effect: { leads: true },
  }),
  claws_pipeline_list: defineTool({
    name: "claws_pipeline_list",
    title: "List pipelines",
    description: "List the joined terminals.",
    input: z.object({}),
    output: listPipelinesRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_pipeline_close: defineTool({
    name: "claws_pipeline_close",
    title: "Part terminals",
    description: "End a pipeline. Its terminals stay open.",
    input: z.object({ pipelineId: z.string().min(1) }),
    output: closePipelineRequest.reply,
    effect: { leads: true, destroys: true },
  }),
} as const;
