import type { BusEvent } from "claw-contract/schemas";
import type { Peer } from "../peers/peer.ts";

/**
 * Whether an event is a plain log entry of a worker: it asks, answers and ends nothing, so it changes no state but the
 * time of the worker's last progress. Such entries are the most frequent events of all, and projections take them in
 * without their payload (bench bus, "server time for an event").
 */
export function isLogEntry({ topic, schema, data, envelope }: BusEvent, peer: Pick<Peer, "id">): boolean {
  return (
    schema === "worker-event-v1" &&
    data.kind === "LOG" &&
    data.severity !== "fatal" &&
    data.request_id === undefined &&
    !Object.hasOwn(data, "correlation_id") &&
    (envelope?.correlation_id ?? null) === null &&
    topic === `worker.${peer.id}.event`
  );
}
