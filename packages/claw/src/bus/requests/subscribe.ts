import { isTopicPattern } from "claw-contract";
import { subscribeDurable } from "../delivery/durable/subscribe-durable.ts";
import { replay } from "../delivery/catch-up.ts";
import { closeSubscription, openSubscription, readCursor, rewind, cursorOf } from "../delivery/subscription.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

export const handleSubscribe = handleRequest("subscribe", (call, done) => {
  const { context, peer, request } = call;
  const { topic, fromCursor } = request;
  if (!isTopicPattern(topic)) return done(error("topic invalid"));
  if (request.durable !== undefined) return subscribeDurable(call, topic, done);
  const cursor = fromCursor === undefined ? undefined : readCursor(context, fromCursor);
  if (cursor?.kind === "invalid") return done(error(cursor.error));
  const subscription = openSubscription(context, peer, topic);
  const resumeCursor = cursorOf(context.log, context.log.head());
  done(ok({ subscriptionId: subscription.id, resumeCursor }));
  if (cursor === undefined) return undefined;
  rewind(subscription, cursor.sequence);
  if (cursor.gap && peer.capabilities.has("gap")) {
    const gap = { from: fromCursor, to: cursorOf(context.log, cursor.sequence), reason: "epoch" };
    peer.connection.send(JSON.stringify({ push: "gap", protocol: "claws/2", subscriptionId: subscription.id, ...gap }));
  }
  void replay(context, subscription);
  return undefined;
});

export const handleUnsubscribe = handleRequest("unsubscribe", ({ context, peer, request }, done) => {
  const subscription = peer.subscriptions.get(request.subscriptionId);
  if (subscription === undefined) return done(error("subscription not found"));
  closeSubscription(context, subscription);
  return done(ok({}));
});
