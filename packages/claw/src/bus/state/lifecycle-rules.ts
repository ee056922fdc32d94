import type { MissionPhase } from "claw-contract";
import { MISSION_TRANSITIONS } from "claw-contract";
import type { MissionWorker } from "claw-contract/schemas";
import type { LifecycleEvent, LifecycleState } from "./lifecycle-state.ts";
import { evolveLifecycle } from "./lifecycle-state.ts";

export interface MissionRefusal {
  readonly code: string;
  readonly message: string;
}

const isDone = ({ status }: MissionWorker): boolean => status !== "spawned";

/** Why a mission may not go to a phase; undefined when it may. */
export function refuseAdvance(state: LifecycleState, to: unknown): MissionRefusal | undefined {
  const allowed = MISSION_TRANSITIONS[state.phase];
  if (!allowed.some((phase) => phase === to)) {
    const message =
      allowed.length === 0
        ? `phase ${state.phase} is terminal; no transition leaves it`
        : `cannot go from ${state.phase} to ${String(to)}; allowed: ${allowed.join(", ")}`;
    return { code: "lifecycle:invalid-transition", message };
  }
  const open = state.spawned_workers.filter(({ status }) => status !== "closed");
  if (to !== "REFLECT" || open.length === 0) return undefined;
  const names = open.map(({ id }) => id).join(", ");
  return { code: "lifecycle:reflect-gate", message: `${open.length} terminal(s) still open: ${names}` };
}

function everyWorkerWatched({ spawned_workers: workers, monitors }: LifecycleState): boolean {
  return workers.every(({ id }) => monitors.some(({ terminal_id: watched }) => watched === id));
}

/** The phase a mission goes to by itself now, and why. */
function nextPhase(state: LifecycleState): { to: MissionPhase; reason: string } | undefined {
  const { phase, spawned_workers: workers, expected_workers: expected, worker_mode: mode } = state;
  const done = workers.filter(isDone).length;
  if (phase === "SPAWN" && workers.length === expected && everyWorkerWatched(state)) {
    return { to: "DEPLOY", reason: "all workers spawned and watched" };
  }
  if (phase === "DEPLOY" && done > 0) return { to: "OBSERVE", reason: "a worker reported" };
  if (phase === "OBSERVE" && mode !== "army" && done >= (mode === "single" ? 1 : expected)) {
    return { to: "HARVEST", reason: "enough workers are done" };
  }
  if (phase === "HARVEST" && workers.length > 0 && done === workers.length) {
    return { to: "CLEANUP", reason: "all workers are done" };
  }
  if (phase === "CLEANUP" && workers.length > 0 && workers.every(({ status }) => status === "closed")) {
    return { to: "REFLECT", reason: "all terminals are closed" };
  }
  return undefined;
}

const MAX_STEPS = 10;

/** The changes of phase that follow by themselves from a state. Pure. */
export function autoAdvance(start: LifecycleState | null, ts: string): LifecycleEvent[] {
  const events: LifecycleEvent[] = [];
  for (let state = start; state !== null && events.length < MAX_STEPS;) {
    const next = nextPhase(state);
    if (next === undefined) break;
    const event = { topic: "lifecycle.phase-changed", payload: { from: state.phase, ...next, ts } };
    events.push(event);
    state = evolveLifecycle(state, event);
  }
  return events;
}

/** Events of a mission, followed by the changes of phase they bring about. Pure. */
export function withAdvance(
  state: LifecycleState | null,
  events: readonly LifecycleEvent[],
  ts: string,
): LifecycleEvent[] {
  return [...events, ...autoAdvance(events.reduce(evolveLifecycle, state), ts)];
}
