import type { Worker } from "claw-client";
import type { Phase } from "claw-contract";

/** The phases of successful work, in order. */
const WAY: readonly Phase[] = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];

/** The phases from the current one to the target, target included; empty when the worker is there or further. */
export function phasesTo(current: Phase | null, to: Phase): readonly Phase[] {
  if (current === to || current === "FAILED") return [];
  if (to === "FAILED" || to === "RECOVER") return [to];
  const at = current === null ? -1 : WAY.indexOf(current === "RECOVER" ? "DEPLOY" : current);
  const through = WAY.slice(at + 1, WAY.indexOf(to) + 1);
  // After a recovery the work continues where it was.
  return current === "RECOVER" && through.length === 0 ? ["OBSERVE"] : through;
}

/** Enters the phases up to a target. `failed` receives the bus's refusals. */
export function walkTo(worker: Worker, to: Phase, reason: string, failed: (error: unknown) => void): void {
  for (const phase of phasesTo(worker.currentPhase(), to)) worker.phase(phase, reason).catch(failed);
}
