import type { Phase } from "claw-contract";
import { PHASE_TRANSITIONS } from "claw-contract";

/** The shortest way from the first phase to another that the order of phases allows, both included. */
export function phasePath(to: Phase): readonly Phase[] {
  const before = new Map<Phase, Phase | null>([["PLAN", null]]);
  // Phases found on the way are visited in turn.
  for (const phase of before.keys()) {
    for (const next of PHASE_TRANSITIONS[phase]) if (!before.has(next)) before.set(next, phase);
  }
  const path: Phase[] = [];
  for (let phase: Phase | null = to; phase !== null; phase = before.get(phase) ?? null) path.unshift(phase);
  return path;
}
