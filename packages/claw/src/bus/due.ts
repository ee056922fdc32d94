import { LIMITS } from "@claw/contract";
import { appendEvents } from "./append-events.ts";
import type { BusContext } from "./bus-context.ts";
import type { TaskRecord } from "./state/tasks.ts";
import { isClosed } from "./state/tasks.ts";
import { publishSystem } from "./system-events.ts";

/** Closes a task as failed, unless it was closed meanwhile. */
function failTask(context: BusContext, { taskId }: TaskRecord, note: string): void {
  context.serial.run(`task ${taskId}`, (release) => {
    const task = context.state.tasks.get(taskId);
    if (task === undefined || isClosed(task)) return release();
    const payload = { taskId, status: "failed", result: null, note };
    return appendEvents(context, [{ topic: "task.completed", payload }], (outcome) => {
      if (outcome instanceof Error) context.report(`${taskId} was not failed: ${outcome.message}`);
      release();
    });
  });
}

/** Fails what a peer had to do that will not come back. */
export function failTasksOf(context: BusContext, peerId: string): void {
  for (const task of context.state.tasks.all()) {
    if (task.assignee === peerId && !isClosed(task)) failTask(context, task, "assignee disconnected");
  }
}

/** Whether a peer that is not here has been waited for long enough. */
function isGoneForGood(context: BusContext, peerId: string): boolean {
  if (context.peers.has(peerId)) return false;
  const since = context.leftAt.get(peerId) ?? context.startedAt;
  return context.now() - since > LIMITS.returnGraceMs;
}

function checkTasks(context: BusContext): void {
  for (const task of context.state.tasks.all()) {
    if (isClosed(task)) continue;
    const { assignedAt, timeoutMs } = task;
    if (timeoutMs !== undefined && context.now() >= assignedAt + timeoutMs) failTask(context, task, "timed out");
    else if (isGoneForGood(context, task.assignee)) failTask(context, task, "assignee disconnected");
  }
}

/** Says of those who were here before a restart, and did not come back, that they left. */
function checkMissing(context: BusContext): void {
  if (context.missing.size === 0 || context.now() - context.startedAt <= LIMITS.returnGraceMs) return;
  for (const [peerId, role] of context.missing) {
    publishSystem(context, "system.peer.left", { peerId, role, reason: "timeout" });
  }
  context.missing.clear();
}

/** Reports members of a wave that fell silent, once for each silence. */
function checkWaves(context: BusContext): void {
  for (const { waveId, members } of context.state.waves.open()) {
    for (const { role, complete, watched, lastHeartbeatMs } of members.values()) {
      const silentMs = context.now() - lastHeartbeatMs;
      const key = `${waveId} ${role}`;
      if (!watched || complete || silentMs < LIMITS.waveSilenceMs) continue;
      if (context.reporting.has(key)) continue;
      context.reporting.add(key);
      const payload = { waveId, subWorker: role, silentMs, ts: context.timestamp() };
      appendEvents(context, [{ topic: `wave.${waveId}.violation`, payload }], () => context.reporting.delete(key));
    }
  }
}

/** Everything that time brings about, staleness aside. Called by whoever owns the clock. */
export function checkDue(context: BusContext): void {
  context.calls.expire(context.now());
  checkTasks(context);
  checkMissing(context);
  checkWaves(context);
  for (const [peerId, at] of context.leftAt) {
    if (context.peers.has(peerId) || context.now() - at > 2 * LIMITS.returnGraceMs) context.leftAt.delete(peerId);
  }
}
