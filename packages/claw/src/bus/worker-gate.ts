import type { Phase } from "@claw/contract";
import { canTransition, isTerminalPhase } from "@claw/contract";
import type { BusEvent } from "@claw/contract/schemas";
import type { WorkerRecord } from "./peer.ts";

export type GateDecision =
  | { readonly kind: "pass"; readonly worker: WorkerRecord }
  | { readonly kind: "refused"; readonly reason: string };

const pass = (worker: WorkerRecord): GateDecision => ({ kind: "pass", worker });
const refused = (reason: string): GateDecision => ({ kind: "refused", reason });

function decidePhase(worker: WorkerRecord, phase: Phase, prev: Phase | null): GateDecision {
  if (prev !== null && prev !== worker.phase) {
    return refused(`prev is ${prev}, but the worker is in ${worker.phase ?? "no phase"}`);
  }
  const permitted = worker.permitted === phase || canTransition(worker.phase, phase);
  if (!permitted) return refused(`illegal transition ${worker.phase ?? "(start)"} → ${phase}`);
  return pass({ ...worker, phase, permitted: null, ended: worker.ended || isTerminalPhase(phase) });
}

/** Whether a worker may say this of itself now, and what is known of it afterwards. Pure. */
export function decideWorkerEvent(worker: WorkerRecord, event: BusEvent): GateDecision {
  switch (event.schema) {
    case "worker-boot-v1":
      return worker.booted ? refused("a second boot") : pass({ ...worker, booted: true });
    case "worker-phase-v1":
      return decidePhase(worker, event.data.phase, event.data.prev);
    case "worker-complete-v1":
      if (worker.ended && worker.phase !== "REFLECT") return refused("complete after the end");
      return pass({ ...worker, ended: true });
    case "worker-event-v1":
      return pass(event.data.severity === "fatal" ? { ...worker, ended: true } : worker);
    default:
      return pass(worker);
  }
}
