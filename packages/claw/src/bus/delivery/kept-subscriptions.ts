import type { Delivery } from "./delivery.ts";
import { LIMITS } from "claw-contract";
import type { Peer } from "../peers/peer.ts";
import type { PeerSubscription } from "./subscription.ts";

export interface KeptSubscription {
  readonly id: string;
  readonly pattern: string;
  readonly automatic: boolean;
}

/**
 * Subscriptions of peers that left and may come back under the same id. Events published meanwhile are not sent again.
 */
export interface KeptSubscriptions {
  keep(peerId: string, subscriptions: Iterable<PeerSubscription>): void;
  /** Undefined for a peer that was not here before. */
  take(peerId: string): readonly KeptSubscription[] | undefined;
}

export function createKeptSubscriptions(): KeptSubscriptions {
  const kept = new Map<string, readonly KeptSubscription[]>();
  let count = 0;
  const take = (peerId: string): readonly KeptSubscription[] | undefined => {
    const found = kept.get(peerId);
    kept.delete(peerId);
    count -= found?.length ?? 0;
    return found;
  };
  return {
    take,
    keep: (peerId, subscriptions) => {
      take(peerId);
      // Durable subscriptions are continued by name instead.
      const own = [...subscriptions].filter(({ peer }) => peer.id === peerId);
      const entries = own.map(({ id, pattern, automatic }) => ({ id, pattern: pattern.join("."), automatic }));
      kept.set(peerId, entries);
      count += entries.length;
      for (const oldest of kept.keys()) {
        if (count <= LIMITS.keptSubscriptions) break;
        take(oldest);
      }
    },
  };
}

/** Whether a peer id comes from an instance nonce. Other peers that come back subscribe again themselves. */
const isNamed = (peerId: string): boolean => peerId.startsWith("fp_");

/** Keeps the subscriptions of a peer, except durable subscriptions, which are kept by name. */
export function keepSubscriptions(context: Pick<Delivery, "kept" | "durables">, { id, subscriptions }: Peer): void {
  if (!isNamed(id)) return;
  const plain = [...subscriptions.values()].filter((subscription) => !context.durables.attached.has(subscription.id));
  context.kept.keep(id, plain);
}
