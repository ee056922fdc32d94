import * as z from "zod";
import { requestId, text, timestamp, whole } from "./fields.ts";

/** Version of the envelope itself; the data inside is versioned by the suffix of `schema`. */
export const ENVELOPE_VERSION = 1;
export const ENVELOPE_SCHEMA = "envelope-v1";

const optionalFields = {
  correlation_id: requestId("Groups related events, such as a request and its answer.").nullable().optional(),
  parent_id: text("Peer that this peer works for; null for a root orchestrator.").nullable().optional(),
  terminal_id: z.string().describe("Terminal the publisher runs in, if any.").nullable().optional(),
  ts_server: timestamp("Server clock when the event was accepted; stamped by the server.").optional(),
  sequence: whole("Position in the log; stamped by the server.").optional(),
};

const promisedFields = {
  v: z.literal(ENVELOPE_VERSION).describe("Version of the envelope."),
  id: z.uuid().describe("Unique id of the event; sending it twice is recognised by it."),
  from_peer: text("Peer that published the event."),
  from_name: text("Name of that peer for people."),
  ts_published: timestamp("Publisher's clock when it published."),
  schema: text("Schema of data with its version, for example worker-phase-v1."),
};

const data = z.unknown().describe("What the schema describes.");

/** The envelope as delivered: every reader may rely on these fields. */
export const EventEnvelope = z
  .looseObject({ ...promisedFields, ...optionalFields, data })
  .describe("The envelope around every event that a peer publishes.");
export type EventEnvelope = z.infer<typeof EventEnvelope>;

/** The envelope as sent: the server fills in missing fields, so only `data` is required. */
export const SentEnvelope = z.looseObject({
  ...z.object(promisedFields).partial().shape,
  ...optionalFields,
  data,
});
export type SentEnvelope = z.infer<typeof SentEnvelope>;

/**
 * Whether a payload is meant as an envelope. A worker event also has a `data` field, so `data` alone decides only when
 * the payload has no other field.
 */
export function isEnveloped(payload: unknown): payload is Record<string, unknown> {
  if (typeof payload !== "object" || payload === null || !Object.hasOwn(payload, "data")) return false;
  return Object.hasOwn(payload, "schema") || Object.hasOwn(payload, "v") || Object.keys(payload).length === 1;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in a payload's envelope, by which the bus recognises a repeated publish. */
export function envelopeId(payload: unknown): string | undefined {
  const id = isEnveloped(payload) ? payload["id"] : undefined;
  return typeof id === "string" && UUID.test(id) ? id : undefined;
}

/** Facts about a publish that only the server decides. */
export interface EnvelopeStamp {
  readonly id: string;
  readonly fromPeer: string;
  readonly fromName: string;
  readonly tsServer: string;
}

export interface SealOptions {
  /** The envelope as sent, or null when the payload came bare. */
  readonly sent: SentEnvelope | null;
  readonly schema: string;
  readonly data: unknown;
}

/** The envelope to log and deliver. Unknown fields are passed on. */
export function sealEnvelope({ sent, schema, data }: SealOptions, stamp: EnvelopeStamp): EventEnvelope {
  return {
    ...sent,
    v: ENVELOPE_VERSION,
    id: sent?.id ?? stamp.id,
    from_peer: stamp.fromPeer,
    from_name: sent?.from_name ?? stamp.fromName,
    ts_published: sent?.ts_published ?? stamp.tsServer,
    ts_server: stamp.tsServer,
    schema,
    data,
  };
}
