import { EVENT_LIMITS } from "./event-limits.ts";
import { isPhase } from "./phases.ts";
import { EVENT_DETAILS, SEVERITIES } from "./worker-event.ts";

/**
 * Fast checks by hand for the events that are published most. A check returns true only for data the schema certainly
 * accepts. For rare and for wrong data the check returns false, and the schema decides.
 */
type PlainCheck = (value: unknown) => boolean;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string" && value.length > 0;
const isAmount = (value: unknown): boolean => typeof value === "number" && value >= 0 && value < Infinity;
const isRequestId = (value: unknown): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= EVENT_LIMITS.requestIdLength;
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** A UTC time on a day that every month has (1 to 28). */
const UTC_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether the publisher filled in every field of an envelope of this version. */
export function isPlainEnvelope(envelope: Fields): boolean {
  const { v, id, from_peer, from_name, ts_published, schema, correlation_id } = envelope;
  return (
    v === 1 &&
    typeof id === "string" &&
    UUID.test(id) &&
    isText(from_peer) &&
    isText(from_name) &&
    typeof ts_published === "string" &&
    UTC_TIME.test(ts_published) &&
    isText(schema) &&
    (isAbsent(correlation_id) || isRequestId(correlation_id)) &&
    isAbsent(envelope["parent_id"]) &&
    isAbsent(envelope["terminal_id"]) &&
    envelope["ts_server"] === undefined &&
    envelope["sequence"] === undefined
  );
}

const SEVERITY: ReadonlySet<unknown> = new Set(SEVERITIES);

/** The names of each kind's detail fields; all fields of PROGRESS are amounts. */
const DETAILS: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries(EVENT_DETAILS).map(([kind, details]) => [kind, Object.keys(details)]),
);

function hasPlainDetails(value: Fields, kind: unknown, names: readonly string[]): boolean {
  for (const name of names) {
    const detail = value[name];
    if (detail !== undefined && !(kind === "PROGRESS" && isAmount(detail))) return false;
  }
  return true;
}

const isPlainWorkerEvent: PlainCheck = (value) => {
  if (!isFields(value)) return false;
  const { kind, severity, message, request_id, data } = value;
  const names = DETAILS.get(kind);
  if (names === undefined || !SEVERITY.has(severity) || !isText(message)) return false;
  if (request_id !== undefined && !isRequestId(request_id)) return false;
  if (data !== undefined && !(isFields(data) && hasPlainDetails(data, kind, names))) return false;
  return hasPlainDetails(value, kind, names);
};

const HEARTBEAT_FIELDS = 4;

const isPlainHeartbeat: PlainCheck = (value) =>
  isFields(value) &&
  isPhase(value["current_phase"]) &&
  isAmount(value["time_in_phase_ms"]) &&
  isAmount(value["tokens_used"]) &&
  isAmount(value["cost_usd"]) &&
  Object.keys(value).length === HEARTBEAT_FIELDS;

/** By the name of the schema. */
export const PLAIN_EVENTS: ReadonlyMap<string, PlainCheck> = new Map([
  ["worker-event-v1", isPlainWorkerEvent],
  ["worker-heartbeat-v1", isPlainHeartbeat],
]);
