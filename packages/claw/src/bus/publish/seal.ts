import type { BusEvent } from "claw-contract/schemas";
import { ENVELOPE_VERSION, envelopeId } from "claw-contract/schemas";
import { isObject } from "claw-contract";
import type { Peer } from "../peers/peer.ts";

/** The id and the name under which an event is stored. */
type Speaker = Pick<Peer, "id" | "name">;
import { quote } from "../wire/wire.ts";
import { parsePayload } from "../wire/read-payload.ts";

/** A payload ready for the log, with the id and body by which a repetition is recognised. */
export interface Sealed {
  readonly id: string;
  /** JSON text of the whole payload, the server's stamp last. */
  readonly payload: string;
  /** JSON text of what the publisher sent. */
  readonly body: string;
}

const stamped = (text: string, tsServer: string): string => `${text.slice(0, -1)},"ts_server":"${tsServer}"}`;

/** Whether an envelope is complete and correct, and lacks only the server's time. */
function isComplete(event: BusEvent, peer: Speaker): boolean {
  const { envelope } = event;
  return (
    envelope !== null &&
    envelope.id !== undefined &&
    envelope.v === ENVELOPE_VERSION &&
    envelope.from_peer === peer.id &&
    envelope.from_name !== undefined &&
    envelope.ts_published !== undefined &&
    envelope.schema === event.schema &&
    isUnstamped(envelope)
  );
}

/** Fields that the server may fill in. Two envelopes that differ only in these fields are the same event. */
const SERVER_FIELDS = new Set(["v", "from_peer", "from_name", "ts_published", "ts_server", "sequence"]);

/** JSON text of the publisher's own fields. The text is the same before and after the server completes the envelope. */
export function ownBody(envelope: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(envelope).filter(([key]) => !SERVER_FIELDS.has(key))));
}

/** Fills in the fields that the publisher left out. Unknown fields are passed on. */
function complete(event: BusEvent, peer: Speaker, tsServer: string): Record<string, unknown> & { id: string } {
  const {
    data: _data,
    ts_server: _time,
    sequence: _sequence,
    id = crypto.randomUUID(),
    ...sent
  } = event.envelope ?? { data: null };
  return {
    ...sent,
    v: ENVELOPE_VERSION,
    id,
    from_peer: peer.id,
    from_name: sent.from_name ?? peer.name,
    ts_published: sent.ts_published ?? tsServer,
    schema: event.schema,
    data: event.data,
  };
}

/**
 * Stamps an event's envelope. An envelope that lacks only the stamp keeps the publisher's text: most events are never
 * printed again (bench bus, "server time for an event").
 */
export function seal(event: BusEvent, peer: Speaker, options: { tsServer: string; text: string | undefined }): Sealed {
  const { tsServer, text } = options;
  const id = event.envelope?.id;
  if (id !== undefined && isComplete(event, peer)) {
    const body = text?.endsWith("}") ? text : JSON.stringify(event.envelope);
    return { id, payload: stamped(body, tsServer), body };
  }
  const envelope = complete(event, peer, tsServer);
  return { id: envelope.id, payload: stamped(JSON.stringify(envelope), tsServer), body: ownBody(envelope) };
}

/** Whether an envelope leaves the server's own fields to the server. */
const isUnstamped = (envelope: Readonly<Record<string, unknown>>): boolean =>
  !Object.hasOwn(envelope, "ts_server") && !Object.hasOwn(envelope, "sequence");

/** JSON text of an envelope without the fields that the server alone writes. */
function withoutStamp(envelope: Readonly<Record<string, unknown>>): string {
  const { ts_server: _time, sequence: _sequence, ...sent } = envelope;
  return JSON.stringify(sent);
}

/**
 * Stamps an envelope on a topic without a schema: who published it, when that is missing, and the server's time.
 * Everything else stays as it was sent. `body` is the text that its repetition is recognised by.
 */
export function sealOther(
  envelope: Readonly<Record<string, unknown>>,
  peer: Speaker,
  { tsServer, text }: { tsServer: string; text: string | undefined },
): { readonly text: string; readonly body: string } {
  const body = text?.endsWith("}") && isUnstamped(envelope) ? text : withoutStamp(envelope);
  const sender = Object.hasOwn(envelope, "from_peer") ? "" : `,"from_peer":${quote(peer.id)}`;
  return { text: stamped(`${body.slice(0, -1)}${sender}}`, tsServer), body };
}

const STAMP = /,"ts_server":"[^"]*"\}$/;

/**
 * Reads the id and the possible bodies of a payload from the log, to recognise its repetition. Undefined when the
 * payload has no stamp or no id.
 */
export function unseal(
  payload: string,
): { readonly id: string; readonly bodies: readonly [string, string] } | undefined {
  if (!STAMP.test(payload)) return undefined;
  const envelope = parsePayload(payload);
  if (!isObject(envelope)) return undefined;
  const { id } = envelope;
  if (typeof id !== "string") return undefined;
  return { id, bodies: [payload.replace(STAMP, "}"), ownBody(envelope)] };
}

const SENDER = /,"from_peer":"[^"]*"\}$/;

/** Like `unseal`, for a topic without a schema: either the server or the publisher has written `from_peer`. */
export function unsealOther(payload: string): ReturnType<typeof unseal> {
  const id = payload.includes('"id"') ? envelopeId(parsePayload(payload)) : undefined;
  if (id === undefined) return undefined;
  const body = payload.replace(STAMP, "}");
  return { id, bodies: [body, body.replace(SENDER, "}")] };
}
