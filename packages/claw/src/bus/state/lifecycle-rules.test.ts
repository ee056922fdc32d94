import type { MissionMode, MissionWorkerStatus } from "claw-contract";
import { MISSION_PHASES, MISSION_TRANSITIONS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { autoAdvance, refuseAdvance } from "./lifecycle-rules.ts";
import type { LifecycleState } from "./lifecycle-state.ts";
import { evolveLifecycle } from "./lifecycle-state.ts";

const ts = "2026-01-01T00:00:00.000Z";

function mission(
  phase: LifecycleState["phase"],
  mode: MissionMode,
  statuses: readonly MissionWorkerStatus[],
): LifecycleState {
  const spawned = statuses.map((status, index) => ({
    id: String(index),
    correlation_id: `c${index}`,
    name: "w",
    spawned_at: ts,
    status,
    idle_ms: 0,
    max_ms: 0,
    last_activity_at: ts,
  }));
  return {
    v: 3,
    phase,
    phases_completed: [],
    plan: "p",
    worker_mode: mode,
    expected_workers: 2,
    spawned_workers: spawned,
    monitors: spawned.map(({ id }) => ({ terminal_id: id, correlation_id: "c", command: "x", armed_at: ts })),
    workers: [],
    mission_n: 1,
    session_started_at: ts,
    mission_started_at: ts,
    failure_cause: null,
  };
}

const steps = (state: LifecycleState): unknown[] => autoAdvance(state, ts).map(({ payload }) => payload["to"]);

describe("a mission", () => {
  test.each<[LifecycleState["phase"], MissionMode, MissionWorkerStatus[], string[]]>([
    ["SPAWN", "fleet", ["spawned"], []],
    ["SPAWN", "fleet", ["spawned", "spawned"], ["DEPLOY"]],
    ["SPAWN", "fleet", ["spawned", "spawned", "spawned"], []],
    ["DEPLOY", "fleet", ["spawned", "completed"], ["OBSERVE"]],
    ["OBSERVE", "single", ["spawned", "completed"], ["HARVEST"]],
    ["OBSERVE", "fleet", ["failed", "completed"], ["HARVEST", "CLEANUP"]],
    ["OBSERVE", "army", ["closed", "closed"], []],
    ["HARVEST", "fleet", ["closed", "closed"], ["CLEANUP", "REFLECT"]],
    ["PLAN", "fleet", ["closed", "closed"], []],
  ])("in %s of a %s with %j goes on to %j", (phase, mode, statuses, expected) => {
    expect(steps(mission(phase, mode, statuses))).toEqual(expected);
  });

  test("is held in SPAWN until every worker is watched", () => {
    expect(steps({ ...mission("SPAWN", "fleet", ["spawned", "spawned"]), monitors: [] })).toEqual([]);
  });

  test("goes only where the table lets it", () => {
    for (const from of MISSION_PHASES) {
      const allowed = MISSION_PHASES.filter((to) => refuseAdvance(mission(from, "fleet", []), to) === undefined);
      expect(allowed.toSorted()).toEqual(MISSION_TRANSITIONS[from].toSorted());
    }
    expect(refuseAdvance(mission("SESSION-END", "fleet", []), "PLAN")?.message).toContain("terminal");
  });

  test("is not changed by events that make no sense", () => {
    const state = mission("PLAN", "fleet", []);
    for (const topic of ["lifecycle.phase-changed", "lifecycle.worker-status", "lifecycle.unknown"]) {
      expect(evolveLifecycle(state, { topic, payload: { to: "NOWHERE", status: "odd" } })).toEqual(state);
    }
    expect(evolveLifecycle(null, { topic: "lifecycle.reflected", payload: {} })).toBeNull();
  });
});
