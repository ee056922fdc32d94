import type { Delivery } from "./delivery.ts";
import type { Ids } from "../ids.ts";
import type { EventLog } from "../log/index.ts";
import type { CatchUpLog } from "./catch-up.ts";
import { catchUpWithLog } from "./catch-up.ts";
import type { Peer } from "../peers/peer.ts";
import type { PeerSubscription } from "./subscription.ts";
import { cursorOf } from "./subscription.ts";

/** `+` is an older spelling of `*`. */
const segmentsOf = (pattern: string): string[] =>
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

/** Sends history, goes live without a gap, and tells the client with a `caught-up` frame. */
export async function replay(context: CatchUpLog, subscription: PeerSubscription): Promise<void> {
  const replayedCount = await catchUpWithLog(context, { subscription, replay: true });
  if (subscription.closed) return;
  // A client that has stopped reading meanwhile may be behind again.
  const resumeCursor = cursorOf(context.log, subscription.live ? context.log.head() : subscription.position);
  const frame = {
    push: "caught-up",
    protocol: "claws/2",
    subscriptionId: subscription.id,
    replayedCount,
    resumeCursor,
  };
  subscription.peer.connection.send(JSON.stringify(frame));
}
