import { matchSegments } from "claw-contract";
import type { Ids } from "../ids.ts";
import type { EventLog } from "../log/index.ts";
import type { Peer } from "../peers/peer.ts";
import type { Delivery } from "./delivery.ts";

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

/** A place in the log at which events can no longer be read. */
export interface LogGap {
  readonly from: string;
  readonly to: string;
  readonly reason: "retention" | "lost" | "epoch";
}

/** The events between a position and the next event: retention removed them, or the files of the log lack them. */
export const gapBefore = (log: EventLog, position: number, next: number): LogGap => ({
  from: cursorOf(log, position),
  to: cursorOf(log, next - 1),
  reason: next <= log.oldest() ? "retention" : "lost",
});

/** The end of a push frame. A client with capabilities also gets the subscription id and the cursor. */
export function pushTail(subscription: PeerSubscription, log: EventLog, sequence: number, replayed: boolean): string {
  const mark = replayed ? ',"replayed":true' : "";
  if (subscription.peer.capabilities.size === 0) return `${mark}}`;
  subscription.tail ??= `,"subscriptionId":"${subscription.id}","cursor":"${log.epoch}:`;
  return `${mark}${subscription.tail}${sequence}"}`;
}

/** The segments of a pattern. `+` is an older spelling of `*`. */
export const segmentsOf = (pattern: string): string[] =>
  pattern.split(".").map((segment) => (segment === "+" ? "*" : segment));

export interface OpenOptions {
  /** Id of an earlier subscription that is opened again. */
  readonly id?: string;
  readonly automatic?: boolean;
}

/** Shelves that a new subscription needs. */
export interface Subscribing extends Pick<Delivery, "fanout">, Pick<Ids, "nextSubscriptionId"> {
  readonly log: EventLog;
}

/** Adds a live subscription. */
export function openSubscription(
  context: Subscribing,
  peer: Peer,
  pattern: string,
  { id = context.nextSubscriptionId(), automatic = false }: OpenOptions = {},
): PeerSubscription {
  const head = context.log.head();
  const subscription: PeerSubscription = {
    id,
    peer,
    pattern: segmentsOf(pattern),
    automatic,
    live: true,
    since: head,
    position: head,
    closed: false,
    echoed: new Set(),
    wake: undefined,
  };
  peer.subscriptions.set(subscription.id, subscription);
  context.fanout.add(subscription);
  return subscription;
}

/** Moves a subscription back to a sequence. From there on, the log serves the subscription. */
export function rewind(subscription: PeerSubscription, sequence: number): void {
  subscription.live = false;
  subscription.since = sequence;
  subscription.position = sequence;
}

export function closeSubscription(context: Pick<Delivery, "fanout">, subscription: PeerSubscription): void {
  subscription.closed = true;
  subscription.wake?.();
  subscription.peer.subscriptions.delete(subscription.id);
  context.fanout.remove(subscription);
}

export type CursorReading =
  | { readonly kind: "after"; readonly sequence: number; readonly gap: boolean }
  | { readonly kind: "invalid"; readonly error: string };

/**
 * Reads a cursor: the client wants all events after it. `0000:0` means from the oldest event on. A cursor of another
 * log gives a gap.
 */
export function readCursor({ log }: Pick<Subscribing, "log">, cursor: unknown): CursorReading {
  const [, epoch, digits] = typeof cursor === "string" ? (/^(\d{4}):(\d{1,15})$/.exec(cursor) ?? []) : [];
  if (epoch === undefined || digits === undefined) return { kind: "invalid", error: "invalid cursor format" };
  const sequence = Number(digits);
  const beginning = log.oldest() - 1;
  if (epoch === "0000" && sequence === 0) return { kind: "after", sequence: beginning, gap: false };
  if (epoch !== log.epoch) return { kind: "after", sequence: beginning, gap: true };
  if (sequence > log.head()) return { kind: "invalid", error: "invalid cursor" };
  return { kind: "after", sequence, gap: false };
}
