import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { amount, text, timestamp, whole } from "../fields.ts";
import { MISSION_MODES, MISSION_PHASES, MISSION_WORKER_STATUSES } from "../mission-phases.ts";

const ts = timestamp("When.");
const phase = (description: string) => z.enum(MISSION_PHASES).describe(description);
const status = z.enum(MISSION_WORKER_STATUSES).describe("How far the worker is.");
const terminalId = text("Terminal of the worker.");
const correlationId = text("What the worker was started under.");

/** A worker of a mission. The terminal identifies the worker. */
export const MissionWorker = z.looseObject({
  id: terminalId,
  correlation_id: correlationId,
  name: text("Its name for people."),
  spawned_at: timestamp("When it was started."),
  status,
  idle_ms: amount("How long it may be idle."),
  max_ms: amount("How long it may live."),
  last_activity_at: timestamp("When it last did something."),
  completed_at: timestamp("When it was done.").optional(),
});
export type MissionWorker = z.infer<typeof MissionWorker>;

/** A command that watches a worker of a mission. */
export const MissionMonitor = z.looseObject({
  terminal_id: terminalId,
  correlation_id: correlationId,
  command: text("Command that watches."),
  armed_at: timestamp("Since when."),
});
export type MissionMonitor = z.infer<typeof MissionMonitor>;

export const LifecyclePlanned = z.looseObject({
  plan: text("What the mission is to achieve."),
  worker_mode: z.enum(MISSION_MODES).describe("How many workers have to be done."),
  expected_workers: whole("Workers it is planned with."),
  ts,
});
export const LifecycleTakenOver = z.looseObject({
  state: z.looseObject({ phase: phase("Phase it is in."), plan: z.string() }).describe("The mission as it was left."),
  ts,
});
export const LifecyclePhaseChanged = z.looseObject({
  from: phase("Phase left."),
  to: phase("Phase entered."),
  reason: text("Why."),
  ts,
});
export const LifecycleReflected = z.looseObject({ reflect: text("What was learnt."), ts });
export const LifecycleWorkerStatus = z.looseObject({ terminal_id: terminalId, status, ts });
export const LifecycleMonitorRemoved = z.looseObject({ terminal_id: terminalId, ts });
export const LifecycleMonitorIntended = z.looseObject({ correlation_id: correlationId, ts });
export const LifecycleMonitorClaimed = z.looseObject({
  correlation_id: correlationId,
  peerId: text("Peer that watches."),
  ts,
});

const row = <const Name extends string, Schema extends z.ZodType>(name: Name, schema: Schema, summary: string) =>
  bareEvent({ address: `lifecycle.${name}`, name: `lifecycle-${name}-v1`, schema, summary });

export const LIFECYCLE_EVENTS = [
  row("planned", LifecyclePlanned, "A mission was planned."),
  row("taken-over", LifecycleTakenOver, "A mission that an older server left goes on here."),
  row("phase-changed", LifecyclePhaseChanged, "The mission entered another phase."),
  row("reflected", LifecycleReflected, "What a mission taught was written down."),
  row("worker-spawned", MissionWorker, "A worker joined the mission."),
  row("worker-status", LifecycleWorkerStatus, "A worker of the mission is further."),
  row("monitor-registered", MissionMonitor, "A worker of the mission is watched."),
  row("monitor-removed", LifecycleMonitorRemoved, "A worker of the mission is no longer watched."),
  row("monitor-intended", LifecycleMonitorIntended, "A monitor was announced."),
  row("monitor-claimed", LifecycleMonitorClaimed, "An announced monitor came."),
] as const;
