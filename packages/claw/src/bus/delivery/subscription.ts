import { matchSegments } from "claw-contract";
import type { EventLog } from "../log/index.ts";
import type { Peer } from "../peers/peer.ts";

/** The events that a peer gets, by topic pattern, and how far the peer has come. */
export interface PeerSubscription {
  readonly id: string;
  readonly peer: Peer;
  readonly pattern: readonly string[];
  /** Made by the bus for a worker, not asked for by its client. */
  readonly automatic: boolean;
  /** Sequence after which the subscription begins. */
  since: number;
  /** Live subscriptions are sent events as they are committed; others read the log until they have caught up. */
  live: boolean;
  /** While not live: all events up to this sequence were sent or did not match. */
  position: number;
  closed: boolean;
  /** Sequences of the peer's own events that asked for an echo while the subscription was behind. */
  readonly echoed: Set<number>;
  /** The end of the subscription's push frames up to the sequence, once it was made. */
  tail?: string;
  /** Wakes the log reader, which waits for a congested client. */
  wake: (() => void) | undefined;
}

export const matches = (subscription: PeerSubscription, topic: string): boolean =>
  matchSegments(subscription.pattern, topic.split("."));

export const cursorOf = (log: EventLog, sequence: number): string => `${log.epoch}:${sequence}`;

/** The end of a push frame. A client with capabilities also gets the subscription id and the cursor. */
export function pushTail(subscription: PeerSubscription, log: EventLog, sequence: number, replayed: boolean): string {
  const mark = replayed ? ',"replayed":true' : "";
  if (subscription.peer.capabilities.size === 0) return `${mark}}`;
  subscription.tail ??= `,"subscriptionId":"${subscription.id}","cursor":"${log.epoch}:`;
  return `${mark}${subscription.tail}${sequence}"}`;
}
