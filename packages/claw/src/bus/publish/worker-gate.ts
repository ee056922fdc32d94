import type { Phase } from "@claw/contract";
import { canTransition, isPhase } from "@claw/contract";
import type { BusEvent } from "@claw/contract/schemas";
import type { WorkerRecord } from "../peers/peer.ts";
import type { Fields } from "../wire/read-payload.ts";
import { textOf } from "../wire/read-payload.ts";

export type GateDecision =
  | { readonly kind: "pass"; readonly worker: WorkerRecord }
  /** `worker` is the state if the event is let through all the same. */
  | { readonly kind: "refused"; readonly reason: string; readonly worker: WorkerRecord };

/** Data that a worker publishes about itself, with the parent named in the envelope. */
export interface OwnWord {
  readonly data: Fields;
  readonly parentId: unknown;
}

/** The state of a worker after one of its events. Pure; accepts any data. */
export function moveWorker(worker: WorkerRecord, action: string, { data, parentId: named }: OwnWord): WorkerRecord {
  const { phase } = data;
  if (action === "boot") {
    return { ...worker, booted: true, parentId: textOf(data["parent_peer_id"]) ?? textOf(named) ?? null };
  }
  if (action === "complete") return { ...worker, completed: true };
  if (action === "event" && data["severity"] === "fatal") return { ...worker, fatal: true };
  if (action !== "phase" || !isPhase(phase)) return worker;
  return { ...worker, phase, permitted: worker.permitted === phase ? null : worker.permitted };
}

function phaseProblem(worker: WorkerRecord, phase: Phase, prev: Phase | null): string | undefined {
  if (worker.permitted !== phase && !canTransition(worker.phase, phase)) {
    return `illegal transition ${worker.phase ?? "(start)"} → ${phase}`;
  }
  if (prev === worker.phase) return undefined;
  return `prev is ${prev ?? "null"}, but the worker is in ${worker.phase ?? "no phase"}`;
}

function completeProblem({ completed, fatal }: WorkerRecord): string | undefined {
  if (completed) return "a second complete";
  return fatal ? "complete after a fatal error" : undefined;
}

function problemOf(worker: WorkerRecord, event: BusEvent): string | undefined {
  const { schema, data } = event;
  if (schema === "worker-boot-v1") return worker.booted ? "a second boot" : undefined;
  if (schema === "worker-phase-v1") return phaseProblem(worker, data.phase, data.prev);
  if (schema === "worker-complete-v1") return completeProblem(worker);
  return worker.completed && schema === "worker-event-v1" && data.severity === "fatal"
    ? "a fatal error after complete"
    : undefined;
}

/** Whether a worker may publish the event now, and the worker's state afterwards. Pure. */
export function decideWorkerEvent(worker: WorkerRecord, event: BusEvent): GateDecision {
  const reason = problemOf(worker, event);
  const action = event.topic.slice(event.topic.lastIndexOf(".") + 1);
  const moved = moveWorker(worker, action, { data: event.data, parentId: event.envelope?.parent_id });
  return reason === undefined ? { kind: "pass", worker: moved } : { kind: "refused", reason, worker: moved };
}
