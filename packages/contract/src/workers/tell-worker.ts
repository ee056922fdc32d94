import { LIMITS } from "../limits.ts";
import type { WorkerRecord } from "./worker-record.ts";

/** When others have to be told of a worker's state, in milliseconds; Infinity when they know it. */
export function tellAt({ verdict, told }: WorkerRecord): number {
  if (told === null || told.state !== verdict.state) return -Infinity;
  if (told.reason === verdict.reason && told.until === verdict.until) return Infinity;
  return told.at + LIMITS.stateReasonMs;
}

/** What `system.worker.state` says of it. */
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
