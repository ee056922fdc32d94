import { saveRecord } from "../delivery/durable/durables.ts";
import { readCursor, cursorOf } from "../delivery/subscription.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

/** Acknowledges all events up to a cursor. Answers once the acknowledgement would survive a crash. */
export const handleAck = handleRequest("ack", ({ context, peer, request }, done) => {
  const { subscriptionId, cursor } = request;
  const attachment = context.durables.attached.get(subscriptionId);
  if (attachment?.peer !== peer || attachment.subscription.closed) return done(error("subscription not found"));
  const position = readCursor(context, cursor);
  if (position.kind === "invalid") return done(error(position.error));
  if (position.gap) return done(error("invalid cursor"));
  const record = context.durables.store.get(attachment.name);
  if (record === undefined) return done(error("subscription not found"));
  const acked = Math.max(record.acked, position.sequence);
  const answer = ok({ ackedCursor: cursorOf(context.log, acked) });
  attachment.window.ack(position.sequence);
  attachment.subscription.wake?.();
  return saveRecord(context, { ...record, acked }, (refused) => done(refused ?? answer));
});
