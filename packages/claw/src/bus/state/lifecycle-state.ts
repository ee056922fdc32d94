import type { JsonObject, MissionMode, MissionPhase, MissionWorkerStatus, ReplyFields } from "claw-contract";
import {
  isMissionPhase,
  MISSION_MODES,
  MISSION_WORKER_STATUSES,
  nonEmptyText,
  numberOf,
  storedPayload,
} from "claw-contract";
import type { MissionMonitor, MissionWorker } from "claw-contract/schemas";
import { fieldsOf } from "../wire/read-payload.ts";

/** The state object of a mission, as clients of the wire read it. */
export type LifecycleState = NonNullable<ReplyFields<"lifecycle.snapshot">["state"]>;

export interface LifecycleEvent {
  readonly topic: string;
  readonly payload: JsonObject;
}

export const isMissionMode = (value: unknown): value is MissionMode => MISSION_MODES.some((mode) => mode === value);
export const isMissionWorkerStatus = (value: unknown): value is MissionWorkerStatus =>
  MISSION_WORKER_STATUSES.some((status) => status === value);

const entered = (completed: readonly MissionPhase[], phase: MissionPhase): readonly MissionPhase[] =>
  completed.includes(phase) ? completed : [...completed, phase];

function plan(state: LifecycleState | null, fields: JsonObject): LifecycleState {
  const { ts, worker_mode: mode, expected_workers: expected } = fields;
  const at = nonEmptyText(ts) ?? "";
  const again = state?.phase === "REFLECT" || state?.phase === "FAILED";
  return {
    v: 3,
    phase: "PLAN",
    phases_completed: entered(state?.phases_completed ?? ["SESSION-BOOT"], "PLAN"),
    plan: nonEmptyText(fields["plan"]) ?? "",
    worker_mode: isMissionMode(mode) ? mode : "single",
    expected_workers: numberOf(expected) ?? 1,
    spawned_workers: [],
    monitors: [],
    workers: [],
    mission_n: again ? state.mission_n + 1 : 1,
    session_started_at: state?.session_started_at ?? at,
    mission_started_at: at,
    failure_cause: state?.phase === "FAILED" ? state.failure_cause : null,
  };
}

/** Sets the spawned workers, and `workers`, which says for each terminal whether the terminal is closed. */
function withWorkers(state: LifecycleState, spawned: readonly MissionWorker[]): LifecycleState {
  const workers = spawned.map(({ id, status }) => ({ id, closed: status === "closed" }));
  return { ...state, spawned_workers: spawned, workers };
}

function markWorker(state: LifecycleState, { terminal_id: id, status, ts }: JsonObject): LifecycleState {
  if (!isMissionWorkerStatus(status)) return state;
  const completed = status === "spawned" ? {} : { completed_at: nonEmptyText(ts) ?? "" };
  const marked = state.spawned_workers.map((worker) =>
    worker.id === id ? { ...worker, status, ...completed } : worker,
  );
  return withWorkers(state, marked);
}

function armMonitor(state: LifecycleState, monitor: MissionMonitor): LifecycleState {
  const others = state.monitors.filter(({ terminal_id: id }) => id !== monitor.terminal_id);
  return { ...state, monitors: [...others, monitor] };
}

/** The state of a mission after a lifecycle event. Pure. Unknown events change nothing. */
export function evolveLifecycle(state: LifecycleState | null, event: LifecycleEvent): LifecycleState | null {
  const fields = fieldsOf(event.payload);
  if (event.topic === "lifecycle.planned") return plan(state, fields);
  // The daemon checks a taken-over state before storing the event.
  if (event.topic === "lifecycle.taken-over") return fieldsOf(fields["state"]) as unknown as LifecycleState;
  if (state === null) return null;
  const joined = storedPayload(event, "lifecycle.worker-spawned");
  if (joined !== undefined) return withWorkers(state, [...state.spawned_workers, joined]);
  const monitor = storedPayload(event, "lifecycle.monitor-registered");
  if (monitor !== undefined) return armMonitor(state, monitor);
  switch (event.topic) {
    case "lifecycle.phase-changed": {
      const { to } = fields;
      return isMissionPhase(to)
        ? { ...state, phase: to, phases_completed: entered(state.phases_completed, to) }
        : state;
    }
    case "lifecycle.reflected":
      return { ...state, reflect: nonEmptyText(fields["reflect"]) ?? "" };
    case "lifecycle.worker-status":
      return markWorker(state, fields);
    case "lifecycle.monitor-removed":
      return { ...state, monitors: state.monitors.filter(({ terminal_id: id }) => id !== fields["terminal_id"]) };
    default:
      return state;
  }
}
