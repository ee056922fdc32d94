import type { LifeEvent, Phase } from "claw-contract";
import { canTransition, isPhase, nextLife, nonEmptyText } from "claw-contract";
import type { BusEvent } from "claw-contract/schemas";
import type { WorkerProgress } from "../peers/peer.ts";

export type GateDecision =
  | { readonly kind: "pass"; readonly worker: WorkerProgress }
  /** `worker` is the state if the event is let through all the same. */
  | { readonly kind: "refused"; readonly reason: string; readonly worker: WorkerProgress };

/** Data that a worker publishes about itself, with the parent named in the envelope. */
export interface OwnWord extends LifeEvent {
  readonly parentId: unknown;
}

/** A heartbeat decides nothing about the order of events; it is also the most frequent event. */
const lifeAfter = ({ life }: WorkerProgress, word: OwnWord): WorkerProgress["life"] =>
  word.topic.endsWith(".heartbeat") ? life : nextLife(life, word);

/** The progress of a worker after one of its events; the same object when nothing changes. Pure; accepts any data. */
export function moveWorker(worker: WorkerProgress, word: OwnWord): WorkerProgress {
  const { topic, data, parentId: named } = word;
  const life = lifeAfter(worker, word);
  const moved = life === worker.life ? worker : { ...worker, life };
  if (topic.endsWith(".boot")) {
    return { ...moved, parentId: nonEmptyText(data["parent_peer_id"]) ?? nonEmptyText(named) ?? null };
  }
  const { phase } = data;
  if (!topic.endsWith(".phase") || !isPhase(phase)) return moved;
  return { ...moved, phase, permitted: worker.permitted === phase ? null : worker.permitted };
}

function phaseProblem(worker: WorkerProgress, phase: Phase, prev: Phase | null): string | undefined {
  if (worker.permitted !== phase && !canTransition(worker.phase, phase)) {
    return `illegal transition ${worker.phase ?? "(start)"} → ${phase}`;
  }
  if (prev === worker.phase) return undefined;
  return `prev is ${prev ?? "null"}, but the worker is in ${worker.phase ?? "no phase"}`;
}

function completeProblem({ life: { end } }: WorkerProgress): string | undefined {
  if (end?.by === "complete") return "a second complete";
  return end?.by === "fatal" ? "complete after a fatal error" : undefined;
}

function problemOf(worker: WorkerProgress, event: BusEvent): string | undefined {
  const { schema, data } = event;
  if (schema === "worker-boot-v1") return worker.life.hasBooted ? "a second boot" : undefined;
  if (schema === "worker-phase-v1") return phaseProblem(worker, data.phase, data.prev);
  if (schema === "worker-complete-v1") return completeProblem(worker);
  return worker.life.end?.by === "complete" && schema === "worker-event-v1" && data.severity === "fatal"
    ? "a fatal error after complete"
    : undefined;
}

/** Whether a worker may publish the event now, and the worker's state afterwards. Pure. */
export function decideWorkerEvent(worker: WorkerProgress, event: BusEvent): GateDecision {
  const reason = problemOf(worker, event);
  const { topic, data, envelope } = event;
  const moved = moveWorker(worker, { topic, from: "", data, sequence: 0, parentId: envelope?.parent_id });
  return reason === undefined ? { kind: "pass", worker: moved } : { kind: "refused", reason, worker: moved };
}
