import type { ReplyFields } from "claw-contract";
import { LIMITS, nonEmptyText, numberOf } from "claw-contract";
import { CLOSED_TASK_STATUSES } from "claw-contract/schemas";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";

export type TaskRecord = ReplyFields<"task.list">["tasks"][number];

/** Every assigned task, according to the log. Only events of the server count. */
export interface Tasks extends StoredProjection {
  get(taskId: string): TaskRecord | undefined;
  /** In the order they were given out. */
  all(): readonly TaskRecord[];
  idsOf(assignee: string): readonly string[];
  /** A number that no task ever had. */
  issue(): number;
  /** The highest number that was given or stands in the log; 0 without any. */
  highest(): number;
}

const CLOSED = new Set<string>(CLOSED_TASK_STATUSES);

/** The id of the event that closes a task, whichever daemon closes the task. */
export const taskClosing = ({ taskId }: TaskRecord): string => `task-closed ${taskId}`;

export const isClosed = ({ status }: TaskRecord): boolean => CLOSED.has(status);

function readAssigned(payload: unknown): TaskRecord | undefined {
  const fields = fieldsOf(payload);
  const taskId = nonEmptyText(fields["taskId"]);
  const assignee = nonEmptyText(fields["assignee"]);
  const assignedAt = numberOf(fields["assignedAt"]);
  return taskId === undefined || assignee === undefined || assignedAt === undefined
    ? undefined
    : (fields as unknown as TaskRecord);
}

/** What an event of a task changes in its record. */
function changesOf(kind: string, { payload, tsServer }: CommittedEvent): Partial<TaskRecord> {
  const { status, progressPct, note, result, artifacts, reason } = fieldsOf(payload);
  const updatedAt = Date.parse(tsServer);
  const defined = (values: object): object =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  if (kind === "status") return { ...defined({ status, progressPct, note }), updatedAt };
  if (kind === "completed") {
    return { ...defined({ status, note, result, artifacts }), updatedAt, completedAt: updatedAt };
  }
  return { ...defined({ cancelReason: reason }), cancelRequested: true, updatedAt };
}

interface Saved {
  readonly tasks: readonly TaskRecord[];
  readonly issued: number;
}

export function createTasks(): Tasks {
  const tasks = new Map<string, TaskRecord>();
  let issued = 0;
  let closed = 0;
  const forgetOldest = (): void => {
    if (closed <= LIMITS.closedRecords) return;
    const oldest = [...tasks.values()].find(isClosed);
    if (oldest !== undefined && tasks.delete(oldest.taskId)) closed -= 1;
  };
  const assign = (payload: unknown): void => {
    const task = readAssigned(payload);
    if (task === undefined || tasks.has(task.taskId)) return;
    tasks.set(task.taskId, task);
    issued = Math.max(issued, Number(/^t_(\d+)$/.exec(task.taskId)?.[1] ?? 0));
  };
  return {
    patterns: ["task.assigned.*", "task.*.assigned", "task.status", "task.completed", "task.cancel_requested.*"],
    apply: (event) => {
      if (event.from !== "server") return;
      const [, kind = "", last] = event.topic.split(".");
      if (kind === "assigned" || last === "assigned") return assign(event.payload);
      const task = tasks.get(String(fieldsOf(event.payload)["taskId"]));
      if (task === undefined || isClosed(task)) return;
      const changed = { ...task, ...changesOf(kind, event) };
      tasks.set(task.taskId, changed);
      if (isClosed(changed)) closed += 1;
      forgetOldest();
    },
    save: (): Saved => ({ tasks: [...tasks.values()], issued }),
    load: (saved) => {
      const known = saved as Saved;
      for (const task of known.tasks) tasks.set(task.taskId, task);
      issued = known.issued;
      closed = known.tasks.filter(isClosed).length;
    },
    get: (taskId) => tasks.get(taskId),
    all: () => [...tasks.values()],
    idsOf: (assignee) => [...tasks.values()].filter((task) => task.assignee === assignee).map(({ taskId }) => taskId),
    issue: () => (issued += 1),
    highest: () => issued,
  };
}
