import type { Phase } from "claw-contract";
import { canTransition, isTerminalPhase, PHASE_TRANSITIONS } from "claw-contract/client";
import { gateError } from "../connection/wire-error.ts";

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

export interface PhaseChange {
  readonly phase: Phase;
  readonly prev: Phase | null;
  readonly phases_completed: readonly Phase[];
}

/** The phase of a worker as the worker itself tracks it. */
export interface PhaseTrack {
  current(): Phase | null;
  /** Phases entered, each once, the current one included. */
  completed(): readonly Phase[];
  terminal(): boolean;
  /** Lets one transition pass that the order of phases forbids. */
  permit(phase: Phase): void;
  /** Enters a phase. Throws GATE_REFUSED, with the bus's wording, when the order of phases forbids the change. */
  enter(phase: Phase): PhaseChange;
  /** Records that the bus has stored a change. */
  confirm(change: PhaseChange): void;
  /**
   * Returns to the last confirmed phase after the bus refused the latest change. A refused change that is not the
   * latest has no effect; the outcome of the latest change decides.
   */
  undo(change: PhaseChange): void;
}

export function createPhaseTrack(): PhaseTrack {
  let current: Phase | null = null;
  let completed: readonly Phase[] = [];
  let permitted: Phase | null = null;
  let latest: PhaseChange | undefined;
  let confirmed: Pick<PhaseChange, "phases_completed"> & { readonly phase: Phase | null } = {
    phase: null,
    phases_completed: [],
  };
  return {
    current: () => current,
    completed: () => completed,
    terminal: () => current !== null && isTerminalPhase(current),
    permit: (phase) => {
      permitted = phase;
    },
    enter: (phase) => {
      if (permitted !== phase && !canTransition(current, phase)) {
        throw gateError("phase", phase, `illegal transition ${current ?? "(start)"} → ${phase}`);
      }
      permitted = null;
      completed = completed.includes(phase) ? completed : [...completed, phase];
      const change: PhaseChange = { phase, prev: current, phases_completed: completed };
      current = phase;
      latest = change;
      return change;
    },
    confirm: (change) => {
      confirmed = change;
    },
    undo: (change) => {
      if (latest !== change) return;
      ({ phase: current, phases_completed: completed } = confirmed);
      latest = undefined;
    },
  };
}
