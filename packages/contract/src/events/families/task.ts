import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { amount, anyText, Artifact, flag, list, text } from "../fields.ts";

/** `in_progress` is how some published clients spell `running`. */
export const OPEN_TASK_STATUSES = ["pending", "running", "blocked", "in_progress"] as const;
export const CLOSED_TASK_STATUSES = ["succeeded", "failed", "skipped"] as const;
export const TASK_STATUSES = [...OPEN_TASK_STATUSES, ...CLOSED_TASK_STATUSES] as const;

const taskId = text("Id of the task.");
const progressPct = amount("Share done in percent.").optional();
const note = anyText("Remark on the status.").optional();
const result = z.unknown().optional().describe("What came out.");
const artifacts = list(Artifact, "Files handed over.").optional();

export const TaskAssigned = z.looseObject({
  taskId,
  title: text("What the task is called."),
  prompt: text("What is to be done."),
  assignee: text("Peer that is to do it."),
  assignedBy: text("Peer that gave it."),
  status: z.enum(TASK_STATUSES).describe("Where it stands."),
  assignedAt: amount("When it was given, in milliseconds since 1970."),
  updatedAt: amount("When it last changed, in milliseconds since 1970."),
  completedAt: amount("When it was closed, in milliseconds since 1970.").optional(),
  timeoutMs: amount("Time allowed.").optional(),
  cancelRequested: flag("Whether it is to be given up.").optional(),
  cancelReason: anyText("Why.").optional(),
  progressPct,
  note,
  result,
  artifacts,
});
export const TaskStatus = z.looseObject({
  taskId,
  assignee: text("Peer that works on it."),
  status: z.enum(TASK_STATUSES).describe("Where it stands."),
  progressPct,
  note,
});
export const TaskCompleted = z.looseObject({
  taskId,
  status: z.enum(CLOSED_TASK_STATUSES).describe("How it ended."),
  result,
  artifacts,
});
export const TaskCancelRequested = z.looseObject({ taskId, reason: anyText("Why it is to be given up.").optional() });

export const TASK_EVENTS = [
  bareEvent({
    address: "task.assigned.{peerId}",
    name: "task-assigned-v1",
    schema: TaskAssigned,
    summary: "A task was given to a worker.",
  }),
  bareEvent({
    address: "task.{taskId}.assigned",
    name: "task-typed-v1",
    schema: TaskAssigned,
    summary: "A task was given to a worker by typing it into its terminal only.",
  }),
  bareEvent({
    address: "task.status",
    name: "task-status-v1",
    schema: TaskStatus,
    summary: "The assignee reported where a task stands.",
  }),
  bareEvent({
    address: "task.completed",
    name: "task-completed-v1",
    schema: TaskCompleted,
    summary: "A task was closed.",
  }),
  bareEvent({
    address: "task.cancel_requested.{peerId}",
    name: "task-cancel-requested-v1",
    schema: TaskCancelRequested,
    summary: "The assignee is asked to give a task up.",
  }),
] as const;
