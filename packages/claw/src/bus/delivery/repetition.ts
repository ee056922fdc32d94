import type { PeerSubscription } from "./subscription.ts";
import { matches } from "./subscription.ts";

const samePattern = (left: PeerSubscription, right: PeerSubscription): boolean =>
  left.pattern.length === right.pattern.length && left.pattern.every((segment, at) => segment === right.pattern[at]);

/**
 * A client without capabilities is not told which subscription a frame is for. Of equal patterns, only the first sends,
 * as on older servers.
 */
const tellsApart = ({ automatic, peer }: PeerSubscription): boolean => !automatic && peer.capabilities.size > 0;

/** One client's subscriptions to a topic, without those through which it would get an event a second time. */
function ofOneClient(own: readonly PeerSubscription[]): readonly PeerSubscription[] {
  const asked = own.filter(({ automatic }) => !automatic);
  const left = asked.length > 0 ? asked : own;
  return left.filter((one, at) => tellsApart(one) || !left.slice(0, at).some((other) => samePattern(one, other)));
}

/**
 * Subscriptions of a topic, at most one of each client for every pattern it asked for. Automatic subscriptions count
 * only for a client that asked for no matching subscription.
 */
export function withoutRepetition(found: readonly PeerSubscription[]): readonly PeerSubscription[] {
  // The readers of durable subscriptions share the subscriptions of their client.
  const clients = new Map<unknown, PeerSubscription[]>();
  for (const subscription of found) {
    const own = clients.get(subscription.peer.subscriptions);
    if (own === undefined) clients.set(subscription.peer.subscriptions, [subscription]);
    else own.push(subscription);
  }
  if (clients.size === found.length) return found;
  const left = new Set([...clients.values()].flatMap((own) => (own.length === 1 ? own : ofOneClient(own))));
  return found.filter((subscription) => left.has(subscription));
}

/** Whether a client gets an event by a subscription that it asked for, when an automatic one reads it from the log. */
export function isSentOtherwise({ automatic, peer }: PeerSubscription, topic: string, sequence: number): boolean {
  if (!automatic) return false;
  const others = [...peer.subscriptions.values()];
  return others.some((other) => !other.automatic && other.since < sequence && matches(other, topic));
}
