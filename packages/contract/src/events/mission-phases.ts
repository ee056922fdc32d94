import { PHASES, PHASE_TRANSITIONS } from "./phases.ts";

/**
 * A mission is what a whole session is about. It has a machine of its own: the phases of a worker, with a beginning
 * and an end of the session around them, and ways out of where a worker's life ends.
 */
export const MISSION_PHASES = ["SESSION-BOOT", ...PHASES, "SESSION-END"] as const;
export type MissionPhase = (typeof MISSION_PHASES)[number];

/** Where a mission may go from each phase. Between its ends it goes where a worker may go. */
export const MISSION_TRANSITIONS: Readonly<Record<MissionPhase, readonly MissionPhase[]>> = {
  ...PHASE_TRANSITIONS,
  "SESSION-BOOT": ["PLAN", "FAILED"],
  REFLECT: ["PLAN", "SESSION-END"],
  FAILED: ["CLEANUP", "SESSION-END"],
  "SESSION-END": [],
};

export const isMissionPhase = (value: unknown): value is MissionPhase =>
  MISSION_PHASES.some((phase) => phase === value);

/** How many workers a mission has to see done before it harvests: one, all it expected, or however many it is told. */
export const MISSION_MODES = ["single", "fleet", "army"] as const;
export type MissionMode = (typeof MISSION_MODES)[number];

export const MISSION_WORKER_STATUSES = ["spawned", "completed", "failed", "timeout", "closed", "terminated"] as const;
export type MissionWorkerStatus = (typeof MISSION_WORKER_STATUSES)[number];
