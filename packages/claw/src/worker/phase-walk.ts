import type { Worker } from "@claw/client";
import type { Phase } from "@claw/contract";

/** The phases of a worker whose work goes well, in order. */
const WAY: readonly Phase[] = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];

/** The phases between where a worker stands and where it goes, the last included; none when it is there or further. */
export function phasesTo(current: Phase | null, to: Phase): readonly Phase[] {
  if (current === to || current === "FAILED") return [];
  if (to === "FAILED" || to === "RECOVER") return [to];
  const at = current === null ? -1 : WAY.indexOf(current === "RECOVER" ? "DEPLOY" : current);
  const through = WAY.slice(at + 1, WAY.indexOf(to) + 1);
  // Out of a recovery the work goes on where it was.
  return current === "RECOVER" && through.length === 0 ? ["OBSERVE"] : through;
}

/** Enters phases up to one of them. What the bus refuses is told to `failed`. */
export function walkTo(worker: Worker, to: Phase, reason: string, failed: (error: unknown) => void): void {
  for (const phase of phasesTo(worker.currentPhase(), to)) worker.phase(phase, reason).catch(failed);
}
