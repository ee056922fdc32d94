import { LIMITS } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import type { Store } from "../publish/store-event.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { ConnectedPeers } from "./connected-peers.ts";
import { leaveReason } from "./peer.ts";
import type { TaskRecord } from "../state/tasks.ts";
import { isClosed, taskClosing } from "../state/tasks.ts";
import { publishSystem } from "../publish/store-event.ts";

/** Shelves that closing a task changes. */
export interface TaskClosing extends Store, Knowledge {}

/** Shelves that the checks of due times use. */
interface Due extends TaskClosing, ConnectedPeers, Pick<Server, "now" | "policy"> {}

/** Closes a task as failed, unless it was closed meanwhile. */
function failTask(context: TaskClosing, { taskId }: TaskRecord, note: string): void {
  context.serial.run(`task ${taskId}`, (release) => {
    const task = context.state.tasks.get(taskId);
    if (task === undefined || isClosed(task)) return release();
    const payload = { taskId, status: "failed", result: null, note };
    const closing = { topic: "task.completed", payload, id: taskClosing(task) };
    return appendEvents(context, [closing], (outcome) => {
      if (outcome instanceof Error) context.report(`${taskId} was not failed: ${outcome.message}`);
      release();
    });
  });
}

/** Fails the open tasks of a peer that will not come back. */
export function failTasksOf(context: TaskClosing, peerId: string): void {
  for (const task of context.state.tasks.all()) {
    if (task.assignee === peerId && !isClosed(task)) failTask(context, task, "assignee disconnected");
  }
}

/** When the wait for an absent peer ends, in milliseconds; Infinity while the peer is connected. */
function goneForGoodAt(context: ConnectedPeers, peerId: string): number {
  if (context.peers.has(peerId)) return Infinity;
  return Math.max(context.leftAt.get(peerId) ?? 0, context.listening.since) + LIMITS.returnGraceMs + 1;
}

function checkTasks(context: Due): number {
  let next = Infinity;
  for (const task of context.state.tasks.all()) {
    if (isClosed(task)) continue;
    const { assignedAt, timeoutMs = Infinity, assignee } = task;
    if (!context.belonging.isHere(assignee)) continue;
    const [late, gone] = [assignedAt + timeoutMs, goneForGoodAt(context, assignee)];
    if (late <= context.now()) failTask(context, task, "timed out");
    else if (gone <= context.now()) failTask(context, task, "assignee disconnected");
    next = Math.min(next, late, gone);
  }
  return next;
}

/** Publishes `system.peer.left` for each peer that was connected before a restart and has not come back. */
function checkMissing(context: Due): number {
  const due = context.listening.since + LIMITS.returnGraceMs + 1;
  if (context.missing.size === 0) return Infinity;
  if (context.now() < due) return due;
  for (const [peerId, role] of context.missing) {
    const worker = context.state.workers.of(peerId);
    const isOneCall = context.policy === "compat" && !worker.life.hasBooted;
    const reason = isOneCall ? "clean" : leaveReason(role, worker, "timeout");
    publishSystem(context, "system.peer.left", { peerId, role, reason });
  }
  context.missing.clear();
  return Infinity;
}

/** Reports members of a wave that fell silent, once for each silence. */
function checkWaves(context: Due): number {
  let next = Infinity;
  for (const { waveId, members } of context.state.waves.open()) {
    for (const { role, complete, watched, lastHeartbeatMs, peerId } of members.values()) {
      if (peerId !== null && !context.belonging.isHere(peerId)) continue;
      const heardAt = Math.max(lastHeartbeatMs, context.listening.since);
      const silentMs = context.now() - heardAt;
      const key = `${waveId} ${role}`;
      if (!watched || complete || context.reporting.has(key)) continue;
      next = Math.min(next, heardAt + LIMITS.waveSilenceMs);
      if (silentMs < LIMITS.waveSilenceMs) continue;
      context.reporting.add(key);
      const payload = { waveId, subWorker: role, silentMs, ts: context.timestamp() };
      appendEvents(context, [{ topic: `wave.${waveId}.violation`, payload }], () => context.reporting.delete(key));
    }
  }
  return next;
}

/** Forgets when a peer left, once no timeout depends on that time. */
function checkLeft(context: Due): number {
  const { leftAt, peers } = context;
  let next = Infinity;
  for (const [peerId, at] of leftAt) {
    const due = at + 2 * LIMITS.returnGraceMs;
    if (peers.has(peerId) || due < context.now()) leftAt.delete(peerId);
    else next = Math.min(next, due + 1);
  }
  return next;
}

/** Does all work that depends on time, except staleness. Returns when more work is due, as far as is known now. */
export function checkDue(context: Due): number {
  return Math.min(
    context.calls.expire(context.now()),
    checkTasks(context),
    checkMissing(context),
    checkWaves(context),
    checkLeft(context),
  );
}
