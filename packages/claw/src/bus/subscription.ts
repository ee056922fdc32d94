import { matchSegments } from "@claw/contract";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peer.ts";

/** Who gets which events, and how far it is. */
export interface Subscription {
  readonly id: string;
  readonly peer: Peer;
  readonly pattern: readonly string[];
  /** Made by the bus for a worker, not asked for by its client. */
  readonly automatic: boolean;
  /** Events after this one are its own to send. */
  since: number;
  /** Live subscriptions are sent events as they are committed; others read the log until they have caught up. */
  live: boolean;
  /** While not live: everything up to here was sent or did not match. */
  position: number;
  closed: boolean;
  /** Own events that asked to come back while the subscription was behind. */
  readonly echoed: Set<number>;
  /** Wakes the reader that waits for its client. */
  wake: (() => void) | undefined;
}

export const matches = (subscription: Subscription, topic: string): boolean =>
  matchSegments(subscription.pattern, topic.split("."));

export const cursorOf = (log: EventLog, sequence: number): string => `${log.epoch}:${sequence}`;

/** The end of a push frame, which tells a client that asked for it where it is. */
export function pushTail({ id, peer }: Subscription, log: EventLog, sequence: number, replayed: boolean): string {
  const mark = replayed ? ',"replayed":true' : "";
  if (peer.capabilities.size === 0) return `${mark}}`;
  return `${mark},"subscriptionId":"${id}","cursor":"${cursorOf(log, sequence)}"}`;
}
