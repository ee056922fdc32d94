import { isTopicPattern } from "@claw/contract";
import type { BusContext } from "../bus-context.ts";
import type { Peer } from "../peer.ts";
import type { Subscription } from "../subscription.ts";
import { catchUpWithLog, cursorOf } from "../subscription.ts";
import { ANYBODY, error, ok, peerCommand } from "./command.ts";

/** `+` is an older spelling of `*`. */
const segmentsOf = (pattern: string): string[] =>
  pattern.split(".").map((segment) => (segment === "+" ? "*" : segment));

/** Adds a live subscription. */
export function openSubscription(context: BusContext, peer: Peer, pattern: string): Subscription {
  const subscription: Subscription = {
    id: context.nextSubscriptionId(),
    peer,
    pattern: segmentsOf(pattern),
    live: true,
    position: context.log.head(),
    closed: false,
    echoed: new Set(),
    wake: undefined,
  };
  peer.subscriptions.set(subscription.id, subscription);
  context.fanout.add(subscription);
  return subscription;
}

export function closeSubscription(context: BusContext, subscription: Subscription): void {
  subscription.closed = true;
  subscription.wake?.();
  subscription.peer.subscriptions.delete(subscription.id);
  context.fanout.remove(subscription);
}

export type CursorReading =
  | { readonly kind: "after"; readonly sequence: number; readonly gap: boolean }
  | { readonly kind: "invalid"; readonly error: string };

/** Reads a cursor: everything after it is wanted. `0000:0` is the oldest there is; another log's cursor is a gap. */
export function readCursor(context: BusContext, cursor: unknown): CursorReading {
  const [, epoch, digits] = typeof cursor === "string" ? (/^(\d{4}):(\d{1,15})$/.exec(cursor) ?? []) : [];
  if (epoch === undefined || digits === undefined) return { kind: "invalid", error: "invalid cursor format" };
  const sequence = Number(digits);
  const beginning = context.log.oldest() - 1;
  if (epoch === "0000" && sequence === 0) return { kind: "after", sequence: beginning, gap: false };
  if (epoch !== context.log.epoch) return { kind: "after", sequence: beginning, gap: true };
  if (sequence > context.log.head()) return { kind: "invalid", error: "invalid cursor" };
  return { kind: "after", sequence, gap: false };
}

/** Sends history, says when it is over, and goes on live without a seam. */
async function replay(context: BusContext, subscription: Subscription): Promise<void> {
  const replayedCount = await catchUpWithLog({ log: context.log, subscription, replay: true });
  if (subscription.closed) return;
  const resumeCursor = cursorOf(context.log, context.log.head());
  const frame = {
    push: "caught-up",
    protocol: "claws/2",
    subscriptionId: subscription.id,
    replayedCount,
    resumeCursor,
  };
  subscription.peer.connection.send(JSON.stringify(frame));
}

export const subscribe = peerCommand(ANYBODY, ({ context, peer, request }, done) => {
  const { topic, fromCursor } = request;
  if (typeof topic !== "string" || topic === "") return done(error("topic required"));
  if (!isTopicPattern(topic)) return done(error("topic invalid"));
  const cursor = fromCursor === undefined ? undefined : readCursor(context, fromCursor);
  if (cursor?.kind === "invalid") return done(error(cursor.error));
  const subscription = openSubscription(context, peer, topic);
  const resumeCursor = cursorOf(context.log, context.log.head());
  done(ok({ subscriptionId: subscription.id, resumeCursor }));
  if (cursor === undefined) return undefined;
  subscription.live = false;
  subscription.position = cursor.sequence;
  if (cursor.gap && peer.capabilities.has("gap")) {
    const gap = { from: fromCursor, to: cursorOf(context.log, cursor.sequence), reason: "epoch" };
    peer.connection.send(JSON.stringify({ push: "gap", protocol: "claws/2", subscriptionId: subscription.id, ...gap }));
  }
  void replay(context, subscription);
  return undefined;
});

export const unsubscribe = peerCommand(ANYBODY, ({ context, peer, request }, done) => {
  const id = request["subscriptionId"];
  const subscription = typeof id === "string" ? peer.subscriptions.get(id) : undefined;
  if (subscription === undefined) return done(error("subscription not found"));
  closeSubscription(context, subscription);
  return done(ok());
});
