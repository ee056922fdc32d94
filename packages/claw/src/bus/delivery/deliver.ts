import type { CatchUpLog } from "./catch-up.ts";
import type { Delivery } from "./delivery.ts";
import { catchUpWithLog } from "./catch-up.ts";
import { pushTail } from "./subscription.ts";
import type { PushedEvent } from "../wire/wire.ts";
import { pushHead } from "../wire/wire.ts";

/** Where committed events go. */
export interface Outlet extends CatchUpLog, Pick<Delivery, "fanout"> {}

/**
 * The same text in one piece. V8 keeps a text made of others as a tree, and would walk that tree for every subscriber;
 * reading it as a number lays it out (bench bus, "1 publisher, 100 subscribers").
 */
function inOnePiece(text: string): string {
  Number(text);
  return text;
}

/**
 * Sends a committed event to every live subscription that matches. A client that does not keep up is served from the
 * log from here on; the bus buffers nothing for the client. With `echo`, the publisher's own subscriptions get the event
 * too. Returns how many live subscriptions got the event.
 */
export function deliver(context: Outlet, event: PushedEvent, echo: boolean): number {
  const { log, fanout } = context;
  let delivered = 0;
  let head: string | undefined;
  const subscriptions = fanout.for(event.topic);
  for (const subscription of subscriptions) {
    const own = subscription.peer.id === event.from;
    if (own && !echo) continue;
    if (!subscription.live) {
      if (own) subscription.echoed.add(event.sequence);
      continue;
    }
    // The subscription has read the event from the log since the commit.
    if (event.sequence <= subscription.position) continue;
    delivered += 1;
    head ??= subscriptions.length > 1 ? inOnePiece(pushHead(event)) : pushHead(event);
    subscription.peer.connection.send(head + pushTail(subscription, log, event.sequence, false));
    if (!subscription.peer.connection.congested()) continue;
    subscription.live = false;
    subscription.position = event.sequence;
    void catchUpWithLog(context, { subscription, replay: false });
  }
  return delivered;
}
