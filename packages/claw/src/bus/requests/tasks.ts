import { CLOSED_TASK_STATUSES, OPEN_TASK_STATUSES } from "claw-contract/schemas";
import type { BusContext } from "../bus-context.ts";
import { overCap } from "../publish/gates.ts";
import type { Peer } from "../peers/peer.ts";
import { speakerOf } from "../peers/peer.ts";
import type { TaskRecord } from "../state/tasks.ts";
import { isClosed, taskClosing } from "../state/tasks.ts";
import { typeText } from "../terminals/type-text.ts";
import type { RequestDecision, NoFields } from "./decide.ts";
import { decideAndStore, decided, decideEvent, NO_FIELDS } from "./decide.ts";
import type { RequestOutcome, Refused } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

/** Types the prompt into the assignee's terminal. A failure to type is only reported; the task stays assigned. */
function typePrompt(context: BusContext, { taskId, assignee, assignedBy, prompt }: TaskRecord): void {
  const terminalId = context.peers.get(assignee)?.terminalId;
  if (terminalId === undefined) return context.report(`${taskId} was not typed: ${assignee} has no terminal`);
  typeText(context, { terminalId, text: prompt, paste: true, from: assignedBy }).catch((reason: unknown) =>
    context.report(`${taskId} was not typed: ${String(reason)}`),
  );
  return undefined;
}

/** Assigns a task to a connected peer. Refused when the budget is spent. */
export const handleAssignTask = handleRequest("task.assign", ({ context, peer, request }, done) => {
  const { title, assignee, prompt, deliver, timeoutMs } = request;
  if (!context.peers.has(assignee)) {
    return done(error(`assignee peer not found: ${assignee}`, { code: "WORKER_NOT_FOUND" }));
  }
  const capped = overCap(context, peer, "task.assign", assignee);
  if (capped !== undefined) return done(error(capped));
  const taskId = context.nextTaskId();
  const assignedAt = context.now();
  const task: TaskRecord = {
    taskId,
    title,
    prompt,
    assignee,
    assignedBy: peer.id,
    status: "pending",
    assignedAt,
    updatedAt: assignedAt,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  // With `inject`, the assignee gets the prompt in its terminal, so the event avoids the assignee's topic. The task is
  // stored either way.
  const topic = deliver === "inject" ? `task.${taskId}.assigned` : `task.assigned.${assignee}`;
  return decideAndStore(
    context,
    { key: `task ${taskId}`, decide: () => decideEvent({ topic, payload: { ...task } }) },
    (outcome) => {
      if (outcome.kind !== "ok") return done(outcome);
      context.forgetPlans(assignee);
      if (deliver !== "publish") typePrompt(context, task);
      return done(ok({ taskId, assignedAt }));
    },
  );
});

interface OnTask {
  readonly taskId: unknown;
  /** Set for a worker's request: the task must be assigned to this peer id. */
  readonly assignee?: string;
}

/** Decides about a stored task. Refuses an unknown task id, and a task of another assignee. */
function onTask(
  context: BusContext,
  { taskId: named, assignee }: OnTask,
  decide: (task: TaskRecord) => RequestDecision<NoFields> | Refused,
  done: (outcome: RequestOutcome<NoFields>) => void,
): void {
  const taskId = String(named).slice(0, 100);
  const decideNow = (): ReturnType<typeof decide> => {
    const task = context.state.tasks.get(taskId);
    if (task === undefined) return error(`task not found: ${taskId}`, { code: "TASK_NOT_FOUND" });
    if (assignee !== undefined && task.assignee !== assignee) return error("not your task");
    return decide(task);
  };
  decideAndStore(context, { key: `task ${taskId}`, decide: decideNow }, done);
}

const invalidStatus = (allowed: readonly string[]): Refused =>
  error("payload:invalid", {
    details: [{ code: "invalid_value", path: ["status"], message: `Expected one of ${allowed.join(", ")}` }],
  });

/** An orchestrator may update and complete any task; a worker only its own tasks. */
const speaking = (peer: Peer): Pick<OnTask, "assignee"> =>
  peer.role === "worker" ? { assignee: speakerOf(peer) } : {};

/** The assignee, or an orchestrator in its place, reports the status of an open task. */
export const handleUpdateTask = handleRequest("task.update", ({ context, peer, request }, done) =>
  onTask(
    context,
    { taskId: request.taskId, ...speaking(peer) },
    ({ taskId, assignee, ...task }) => {
      const { status, progressPct, note } = request;
      if (isClosed({ taskId, assignee, ...task })) return error("task already completed");
      if (!OPEN_TASK_STATUSES.some((open) => open === status)) return invalidStatus(OPEN_TASK_STATUSES);
      return decideEvent({ topic: "task.status", payload: { taskId, assignee, status, progressPct, note } });
    },
    done,
  ),
);

/** The assignee, or an orchestrator in its place, closes a task. Closing a closed task changes nothing. */
export const handleCompleteTask = handleRequest("task.complete", ({ context, peer, request }, done) =>
  onTask(
    context,
    { taskId: request.taskId, ...speaking(peer) },
    (task) => {
      const { status, result, artifacts } = request;
      if (isClosed(task)) return decided([], NO_FIELDS);
      if (!CLOSED_TASK_STATUSES.some((closed) => closed === status)) return invalidStatus(CLOSED_TASK_STATUSES);
      const payload = { taskId: task.taskId, status, result, artifacts };
      return decideEvent({ topic: "task.completed", payload, id: taskClosing(task) });
    },
    done,
  ),
);

/** Asks the assignee to give up a task. The request itself does not close the task. */
export const handleCancelTask = handleRequest("task.cancel", ({ context, request }, done) =>
  onTask(
    context,
    { taskId: request.taskId },
    (task) => {
      if (isClosed(task)) return decided([], NO_FIELDS);
      const payload = { taskId: task.taskId, reason: request.reason };
      return decideEvent({ topic: `task.cancel_requested.${task.assignee}`, payload });
    },
    done,
  ),
);

export const handleListTasks = handleRequest("task.list", ({ context, request }, done) => {
  const { assignee, status, since = 0 } = request;
  const tasks = context.state.tasks
    .all()
    .filter((task) => assignee === undefined || task.assignee === assignee)
    .filter((task) => (status === undefined || task.status === status) && task.updatedAt >= since);
  return done(ok({ tasks }));
});
