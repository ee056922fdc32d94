import type { Numbers } from "../../bus/index.ts";
import type { Bucket } from "../buckets/bucket.ts";
import type { NumberSource } from "./number-source.ts";
import { findFree, openNumberSource } from "./number-source.ts";

/** Kinds of things whose ids are unique in a cluster. */
const SIZES = { peer: 256, subscription: 1024, task: 64, pipeline: 32, terminal: 64 } as const;

export type NumberKind = keyof typeof SIZES;

/** The highest number of each kind that a log has used before it belonged to a cluster. */
export type UsedNumbers = Readonly<Partial<Record<NumberKind, number>>>;

/** Numbers for the ids of this machine. */
export interface ClusterNumbers extends Required<Numbers> {
  /** Gives only numbers above those that a log has used. Rejects as the bucket does. */
  startAfter(used: UsedNumbers): Promise<void>;
}

/** The lowest number of a kind that no machine has taken. Rejects as the bucket does. */
export const freeNumber = (bucket: Bucket, kind: NumberKind): Promise<number> => findFree(bucket, `next.${kind}`);

/** Takes the first numbers of each kind for this machine. Rejects as the bucket does. */
export async function openClusterNumbers(bucket: Bucket, used: UsedNumbers = {}): Promise<ClusterNumbers> {
  const open = (kind: NumberKind): Promise<NumberSource> => {
    const size = SIZES[kind];
    return openNumberSource(bucket, { key: `next.${kind}`, size, lowWater: size / 2, atLeast: (used[kind] ?? 0) + 1 });
  };
  const [peer, subscription, task, pipeline, terminal] = await Promise.all([
    open("peer"),
    open("subscription"),
    open("task"),
    open("pipeline"),
    open("terminal"),
  ]);
  return {
    nextPeer: () => peer.next(),
    nextSubscription: () => subscription.next(),
    nextTask: () => task.next(),
    nextPipeline: () => pipeline.next(),
    nextTerminal: () => terminal.next(),
    startAfter: async (highest) => {
      const sources = Object.entries({ peer, subscription, task, pipeline, terminal }) as [NumberKind, NumberSource][];
      await Promise.all(sources.map(([kind, source]) => source.startAfter(highest[kind] ?? 0)));
    },
  };
}
