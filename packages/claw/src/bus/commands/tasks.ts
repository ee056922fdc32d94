import { CLOSED_TASK_STATUSES, OPEN_TASK_STATUSES } from "@claw/contract/schemas";
import type { BusContext } from "../bus-context.ts";
import { overCap } from "../publish/gates.ts";
import type { Peer } from "../peers/peer.ts";
import { numberOf, textOf } from "../wire/read-payload.ts";
import type { TaskRecord } from "../state/tasks.ts";
import { isClosed } from "../state/tasks.ts";
import { typeText } from "../terminals/type-text.ts";
import type { Request } from "../wire/wire.ts";
import type { Command, CommandResult } from "./command.ts";
import { error, ok, peerCommand } from "./command.ts";
import type { Decision } from "./decide.ts";
import { decideAndStore, decided, decideEvent, refuse } from "./decide.ts";

const DELIVERIES = new Set<unknown>(["publish", "inject", "both"]);

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
export const assignTask = peerCommand(["orchestrator"], ({ context, peer, request }, done) => {
  const { timeoutMs, deliver = "publish" } = request;
  const [title, assignee, prompt] = [textOf(request["title"]), textOf(request["assignee"]), textOf(request["prompt"])];
  if (title === undefined || assignee === undefined || prompt === undefined) {
    return done(error("title, assignee, and prompt are required"));
  }
  if (!context.peers.has(assignee)) {
    return done(error(`assignee peer not found: ${assignee}`, { code: "WORKER_NOT_FOUND" }));
  }
  if (!DELIVERIES.has(deliver)) return done(error("deliver has to be publish, inject or both"));
  if (timeoutMs !== undefined && (numberOf(timeoutMs) ?? 0) <= 0) {
    return done(error("timeoutMs has to be a positive number"));
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
    ...(numberOf(timeoutMs) === undefined ? {} : { timeoutMs: Number(timeoutMs) }),
  };
  // With `inject`, the assignee gets the prompt in its terminal, so the event avoids the assignee's topic. The task is
  // stored either way.
  const topic = deliver === "inject" ? `task.${taskId}.assigned` : `task.assigned.${assignee}`;
  return decideAndStore(
    context,
    { key: `task ${taskId}`, decide: () => decideEvent({ topic, payload: { ...task } }) },
    (result) => {
      if (result.kind !== "ok") return done(result);
      context.forgetPlans(assignee);
      if (deliver !== "publish") typePrompt(context, task);
      return done(ok({ taskId, assignedAt }));
    },
  );
});

interface OnTask {
  readonly request: Request;
  /** Set for a worker's request: the task must be assigned to this peer id. */
  readonly assignee?: string;
}

/** Decides about a stored task. Refuses an unknown task id, and a task of another assignee. */
function onTask(
  context: BusContext,
  { request, assignee }: OnTask,
  decide: (task: TaskRecord) => Decision | ReturnType<typeof refuse>,
  done: (result: CommandResult) => void,
): void {
  const taskId = String(request["taskId"]).slice(0, 100);
  const decideNow = (): ReturnType<typeof decide> => {
    const task = context.state.tasks.get(taskId);
    if (task === undefined) return refuse(`task not found: ${taskId}`, { code: "TASK_NOT_FOUND" });
    if (assignee !== undefined && task.assignee !== assignee) return refuse("not your task");
    return decide(task);
  };
  decideAndStore(context, { key: `task ${taskId}`, decide: decideNow }, done);
}

const invalidStatus = (allowed: readonly string[]): ReturnType<typeof refuse> =>
  refuse("payload:invalid", {
    details: [{ code: "invalid_value", path: ["status"], message: `Expected one of ${allowed.join(", ")}` }],
  });

/** An orchestrator may update and complete any task; a worker only its own tasks. */
const speaking = ({ id, role }: Peer): Pick<OnTask, "assignee"> => (role === "worker" ? { assignee: id } : {});

/** The assignee, or an orchestrator in its place, reports the status of an open task. */
export const updateTask = peerCommand(["worker", "orchestrator"], ({ context, peer, request }, done) =>
  onTask(
    context,
    { request, ...speaking(peer) },
    ({ taskId, assignee, ...task }) => {
      const { status, progressPct, note } = request;
      if (isClosed({ taskId, assignee, ...task })) return refuse("task already completed");
      if (!OPEN_TASK_STATUSES.some((open) => open === status)) return invalidStatus(OPEN_TASK_STATUSES);
      return decideEvent({ topic: "task.status", payload: { taskId, assignee, status, progressPct, note } });
    },
    done,
  ),
);

/** The assignee, or an orchestrator in its place, closes a task. Closing a closed task changes nothing. */
export const completeTask = peerCommand(["worker", "orchestrator"], ({ context, peer, request }, done) =>
  onTask(
    context,
    { request, ...speaking(peer) },
    (task) => {
      const { status, result, artifacts } = request;
      if (isClosed(task)) return decided([]);
      if (!CLOSED_TASK_STATUSES.some((closed) => closed === status)) return invalidStatus(CLOSED_TASK_STATUSES);
      return decideEvent({ topic: "task.completed", payload: { taskId: task.taskId, status, result, artifacts } });
    },
    done,
  ),
);

/** Asks the assignee to give up a task. The request itself does not close the task. */
export const cancelTask = peerCommand(["orchestrator"], ({ context, request }, done) =>
  onTask(
    context,
    { request },
    (task) => {
      if (isClosed(task)) return decided([]);
      const payload = { taskId: task.taskId, reason: textOf(request["reason"]) };
      return decideEvent({ topic: `task.cancel_requested.${task.assignee}`, payload });
    },
    done,
  ),
);

export const listTasks: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const { assignee, status, since } = request;
    const from = numberOf(since) ?? 0;
    const tasks = context.state.tasks
      .all()
      .filter((task) => assignee === undefined || task.assignee === assignee)
      .filter((task) => (status === undefined || task.status === status) && task.updatedAt >= from);
    return done(ok({ tasks }));
  },
};
