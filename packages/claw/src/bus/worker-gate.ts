import type { Phase } from "@claw/contract";
import { canTransition, isPhase, isTerminalPhase } from "@claw/contract";
import type { BusEvent } from "@claw/contract/schemas";
import type { WorkerRecord } from "./peer.ts";
import type { Fields } from "./read-payload.ts";

export type GateDecision =
  | { readonly kind: "pass"; readonly worker: WorkerRecord }
  /** `worker` is what would be known if it were let through all the same. */
  | { readonly kind: "refused"; readonly reason: string; readonly worker: WorkerRecord };

/** What is known of a worker after it said something of itself. Pure, and whatever the data is. */
export function moveWorker(worker: WorkerRecord, action: string, data: Fields): WorkerRecord {
  const { phase } = data;
  if (action === "boot") return { ...worker, booted: true };
  if (action === "complete") return { ...worker, ended: true };
  if (action === "event" && data["severity"] === "fatal") return { ...worker, ended: true };
  if (action !== "phase" || !isPhase(phase)) return worker;
  return { ...worker, phase, permitted: null, ended: worker.ended || isTerminalPhase(phase) };
}

function phaseProblem(worker: WorkerRecord, phase: Phase, prev: Phase | null): string | undefined {
  if (prev !== null && prev !== worker.phase) {
    return `prev is ${prev}, but the worker is in ${worker.phase ?? "no phase"}`;
  }
  if (worker.permitted === phase || canTransition(worker.phase, phase)) return undefined;
  return `illegal transition ${worker.phase ?? "(start)"} → ${phase}`;
}

function problemOf(worker: WorkerRecord, event: BusEvent): string | undefined {
  const { schema, data } = event;
  if (schema === "worker-boot-v1") return worker.booted ? "a second boot" : undefined;
  if (schema === "worker-phase-v1") return phaseProblem(worker, data.phase, data.prev);
  const late = schema === "worker-complete-v1" && worker.ended && worker.phase !== "REFLECT";
  return late ? "complete after the end" : undefined;
}

/** Whether a worker may say this of itself now, and what is known of it afterwards. Pure. */
export function decideWorkerEvent(worker: WorkerRecord, event: BusEvent): GateDecision {
  const reason = problemOf(worker, event);
  const action = event.topic.slice(event.topic.lastIndexOf(".") + 1);
  const moved = moveWorker(worker, action, event.data);
  return reason === undefined ? { kind: "pass", worker: moved } : { kind: "refused", reason, worker: moved };
}
