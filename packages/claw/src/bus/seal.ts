import type { BusEvent } from "@claw/contract/schemas";
import { ENVELOPE_VERSION } from "@claw/contract/schemas";
import type { Peer } from "./peer.ts";

/** A payload ready for the log, and what its repetition is recognised by. */
export interface Sealed {
  readonly id: string;
  /** JSON text of the whole payload. */
  readonly payload: string;
  /** JSON text of the data alone. */
  readonly data: string;
}

/**
 * Stamps an event's envelope. The data is printed once and used for the payload and for recognising repetitions; a
 * field nobody here knows is passed on.
 */
export function seal(event: BusEvent, peer: Peer, tsServer: string): Sealed {
  const { data: _data, id = crypto.randomUUID(), ...sent } = event.envelope ?? { data: undefined };
  const data = JSON.stringify(event.data);
  const head = JSON.stringify({
    ...sent,
    v: ENVELOPE_VERSION,
    id,
    from_peer: peer.id,
    from_name: sent.from_name ?? peer.name,
    ts_published: sent.ts_published ?? tsServer,
    ts_server: tsServer,
    schema: event.schema,
  });
  return { id, payload: `${head.slice(0, -1)},"data":${data}}`, data };
}
