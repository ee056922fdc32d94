/** Phases of a worker's life. A mission has a separate state machine, with `MISSION_PHASES`. */
export const PHASES = [
  "PLAN",
  "SPAWN",
  "DEPLOY",
  "OBSERVE",
  "RECOVER",
  "HARVEST",
  "CLEANUP",
  "REFLECT",
  "FAILED",
] as const;
export type Phase = (typeof PHASES)[number];

/** The only phase a worker may start in. */
export const ENTRY_PHASE: Phase = "PLAN";

/** Phases a worker may enter from each phase. FAILED can be reached from every phase that is not terminal. */
export const PHASE_TRANSITIONS: Readonly<Record<Phase, readonly Phase[]>> = {
  PLAN: ["SPAWN", "FAILED"],
  SPAWN: ["DEPLOY", "RECOVER", "FAILED"],
  DEPLOY: ["OBSERVE", "RECOVER", "FAILED"],
  OBSERVE: ["HARVEST", "RECOVER", "FAILED"],
  RECOVER: ["DEPLOY", "OBSERVE", "FAILED"],
  HARVEST: ["CLEANUP", "FAILED"],
  CLEANUP: ["REFLECT", "FAILED"],
  REFLECT: [],
  FAILED: [],
};

export const isPhase = (value: unknown): value is Phase => PHASES.some((phase) => phase === value);

export const isTerminalPhase = (phase: Phase): boolean => PHASE_TRANSITIONS[phase].length === 0;

/** `from` is null for a worker that has not entered any phase yet. */
export function canTransition(from: Phase | null, to: Phase): boolean {
  return from === null ? to === ENTRY_PHASE : PHASE_TRANSITIONS[from].includes(to);
}
