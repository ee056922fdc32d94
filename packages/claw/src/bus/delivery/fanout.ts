import { withoutRepetition } from "./repetition.ts";
import { matches } from "./subscription.ts";
import type { PeerSubscription } from "./subscription.ts";

const REMEMBERED_TOPICS = 10_000;

/** Finds the subscriptions of a topic. */
export interface Fanout {
  add(subscription: PeerSubscription): void;
  remove(subscription: PeerSubscription): void;
  /** Forgets the remembered answers, after a client has changed its capabilities. */
  refresh(): void;
  /** The subscriptions of a topic, oldest first, without the repetitions that `withoutRepetition` drops. */
  for(topic: string): readonly PeerSubscription[];
}

/** Remembers the answer for each topic until a subscription comes or goes (bench bus, "1 publisher, 100 subscribers"). */
export function createFanout(): Fanout {
  const all = new Set<PeerSubscription>();
  const byTopic = new Map<string, readonly PeerSubscription[]>();
  return {
    add: (subscription) => {
      all.add(subscription);
      byTopic.clear();
    },
    remove: (subscription) => {
      all.delete(subscription);
      byTopic.clear();
    },
    refresh: () => byTopic.clear(),
    for: (topic) => {
      const known = byTopic.get(topic);
      if (known !== undefined) return known;
      const found = withoutRepetition([...all].filter((subscription) => matches(subscription, topic)));
      if (byTopic.size >= REMEMBERED_TOPICS) byTopic.clear();
      byTopic.set(topic, found);
      return found;
    },
  };
}
