import { matchSegments } from "claw-contract";
import { withoutRepetition } from "./repetition.ts";
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

/** Segments by which subscriptions are sorted: `cmd.p_000001` of the commands to one worker. */
const SORTED_BY = 2;

const WILDCARDS: ReadonlySet<string | undefined> = new Set(["*", "+", "**"]);

const placeOf = (segments: readonly string[]): string => segments.slice(0, SORTED_BY).join(".");

/** Subscriptions whose patterns begin with the same words, or with a wildcard, in the order of their coming. */
function createShelves() {
  const ordinals = new Map<PeerSubscription, number>();
  const byWords = new Map<string, Set<PeerSubscription>>();
  const others = new Set<PeerSubscription>();
  let count = 0;
  const hasWords = ({ pattern }: PeerSubscription): boolean =>
    !pattern.slice(0, SORTED_BY).some((segment) => WILDCARDS.has(segment));
  return {
    add: (subscription: PeerSubscription): void => {
      if (ordinals.has(subscription)) return;
      ordinals.set(subscription, (count += 1));
      if (!hasWords(subscription)) return void others.add(subscription);
      const place = placeOf(subscription.pattern);
      const shelf = byWords.get(place);
      if (shelf === undefined) byWords.set(place, new Set([subscription]));
      else shelf.add(subscription);
    },
    remove: (subscription: PeerSubscription): void => {
      if (!ordinals.delete(subscription) || others.delete(subscription)) return;
      const place = placeOf(subscription.pattern);
      const shelf = byWords.get(place);
      shelf?.delete(subscription);
      if (shelf?.size === 0) byWords.delete(place);
    },
    find: (topic: string): PeerSubscription[] => {
      const segments = topic.split(".");
      const shelf = byWords.get(placeOf(segments)) ?? [];
      return [...others, ...shelf]
        .filter(({ pattern }) => matchSegments(pattern, segments))
        .toSorted((one, other) => (ordinals.get(one) ?? 0) - (ordinals.get(other) ?? 0));
    },
  };
}

/**
 * Remembers the answer for each topic until a subscription comes or goes (bench bus, "1 publisher, 100 subscribers"). A
 * topic that is not remembered is not compared with the patterns of all workers (bench cluster, "busiest of 3 daemons").
 */
export function createFanout(): Fanout {
  const shelves = createShelves();
  const byTopic = new Map<string, readonly PeerSubscription[]>();
  return {
    add: (subscription) => {
      shelves.add(subscription);
      byTopic.clear();
    },
    remove: (subscription) => {
      shelves.remove(subscription);
      byTopic.clear();
    },
    refresh: () => byTopic.clear(),
    for: (topic) => {
      const known = byTopic.get(topic);
      if (known !== undefined) return known;
      const found = withoutRepetition(shelves.find(topic));
      if (byTopic.size >= REMEMBERED_TOPICS) byTopic.clear();
      byTopic.set(topic, found);
      return found;
    },
  };
}
