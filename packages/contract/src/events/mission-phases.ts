import { PHASES, PHASE_TRANSITIONS } from "./phases.ts";

/**
 * A mission is the task of a whole session. A mission has a separate state machine: the phases of a worker, with a
 * beginning and an end of the session around them, and exits from the phases in which a worker's life ends.
 */
export const MISSION_PHASES = ["SESSION-BOOT", ...PHASES, "SESSION-END"] as const;
export type MissionPhase = (typeof MISSION_PHASES)[number];

/** Phases a mission may enter from each phase. Phases not listed here have the transitions of a worker. */
export const MISSION_TRANSITIONS: Readonly<Record<MissionPhase, readonly MissionPhase[]>> = {
  ...PHASE_TRANSITIONS,
  "SESSION-BOOT": ["PLAN", "FAILED"],
  REFLECT: ["PLAN", "SESSION-END"],
  FAILED: ["CLEANUP", "SESSION-END"],
  "SESSION-END": [],
};

export const isMissionPhase = (value: unknown): value is MissionPhase =>
  MISSION_PHASES.some((phase) => phase === value);

/** How many workers must be done before a mission harvests: one, all expected workers, or a given number. */
export const MISSION_MODES = ["single", "fleet", "army"] as const;
export type MissionMode = (typeof MISSION_MODES)[number];

export const MISSION_WORKER_STATUSES = ["spawned", "completed", "failed", "timeout", "closed", "terminated"] as const;
export type MissionWorkerStatus = (typeof MISSION_WORKER_STATUSES)[number];
