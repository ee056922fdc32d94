import type { BusEvent } from "claw-contract/schemas";
import type { StoredEvent } from "../log/index.ts";
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

const KIND = '"kind":';

/** Texts by which a stored event may be more than a plain log entry, and an escape that could hide one of them. */
const MORE = ['fatal"', '"request_id"', '"correlation_id"', "\\u"];

/**
 * Whether a stored event is surely a plain log entry, by its text alone: without parsing, a moment of the past is rebuilt
 * sooner (bench page, "a second of a two-hour log"). False for a log entry in another form.
 */
export function isStoredLogEntry({ topic, from, payload = "" }: StoredEvent): boolean {
  const kindAt = payload.indexOf(KIND);
  return (
    payload.startsWith('"LOG"', kindAt + KIND.length) &&
    kindAt === payload.lastIndexOf(KIND) &&
    topic === `worker.${from}.event` &&
    payload.includes('"schema":"worker-event-v1"') &&
    !MORE.some((text) => payload.includes(text))
  );
}
