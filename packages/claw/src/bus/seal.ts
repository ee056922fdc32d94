import type { BusEvent } from "@claw/contract/schemas";
import { ENVELOPE_VERSION } from "@claw/contract/schemas";
import type { Peer } from "./peer.ts";

/** A payload ready for the log, and what its repetition is recognised by. */
export interface Sealed {
  readonly id: string;
  /** JSON text of the whole payload, the server's stamp last. */
  readonly payload: string;
  /** JSON text of what the publisher sent. */
  readonly body: string;
}

const stamped = (text: string, tsServer: string): string => `${text.slice(0, -1)},"ts_server":"${tsServer}"}`;

/** Whether an envelope says everything itself, and truly, so that only the server's time is missing. */
function isComplete(event: BusEvent, peer: Peer): boolean {
  const { envelope } = event;
  return (
    envelope !== null &&
    envelope.id !== undefined &&
    envelope.v === ENVELOPE_VERSION &&
    envelope.from_peer === peer.id &&
    envelope.from_name !== undefined &&
    envelope.ts_published !== undefined &&
    envelope.schema === event.schema &&
    !Object.hasOwn(envelope, "ts_server") &&
    !Object.hasOwn(envelope, "sequence")
  );
}

/** Completes what the publisher left out. A field nobody here knows is passed on. */
function complete(event: BusEvent, peer: Peer, tsServer: string): { id: string; text: string } {
  const {
    data: _data,
    ts_server: _time,
    sequence: _sequence,
    id = crypto.randomUUID(),
    ...sent
  } = event.envelope ?? { data: null };
  const envelope = {
    ...sent,
    v: ENVELOPE_VERSION,
    id,
    from_peer: peer.id,
    from_name: sent.from_name ?? peer.name,
    ts_published: sent.ts_published ?? tsServer,
    schema: event.schema,
    data: event.data,
  };
  return { id, text: JSON.stringify(envelope) };
}

/**
 * Stamps an event's envelope. When the publisher's own text is known and needs nothing but the stamp, it is used as
 * it stands: most events are never printed again.
 */
export function seal(event: BusEvent, peer: Peer, options: { tsServer: string; text: string | undefined }): Sealed {
  const { tsServer, text } = options;
  const id = event.envelope?.id;
  if (text !== undefined && id !== undefined && text.endsWith("}") && isComplete(event, peer)) {
    return { id, payload: stamped(text, tsServer), body: text };
  }
  const completed = complete(event, peer, tsServer);
  const body = text ?? JSON.stringify(event.envelope ?? event.data);
  return { id: completed.id, payload: stamped(completed.text, tsServer), body };
}
