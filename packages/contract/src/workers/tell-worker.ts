import { LIMITS } from "../limits/limits.ts";
import type { WorkerRecord } from "./worker-record.ts";

/** When the next `system.worker.state` event is due, in milliseconds; Infinity when the last event is still right. */
export function tellAt({ verdict, told }: WorkerRecord): number {
  if (told === null || told.state !== verdict.state) return -Infinity;
  if (told.reason === verdict.reason && told.until === verdict.until) return Infinity;
  return told.at + LIMITS.stateReasonMs;
}

/** The payload of a `system.worker.state` event. */
export function stateChangeOf({ peerId, verdict, told }: WorkerRecord, ts: string) {
  const { state, phase, reason, source, asOf, until, evidence } = verdict;
  return {
    peerId,
    state,
    previous: told?.state ?? null,
    phase,
    reason,
    source,
    as_of: new Date(asOf).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
    evidence,
    ts,
  };
}
