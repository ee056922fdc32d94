import type { Bucket, BucketChange, BucketEntry } from "../buckets/bucket.ts";

interface Stored {
  readonly entry: BucketEntry;
  readonly at: number;
}

export interface MemoryBucketOptions {
  /** After this time without a write a key is gone. Endless when absent. */
  readonly ttlMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

const fits = (key: string, pattern: string): boolean =>
  pattern.endsWith(">") ? key.startsWith(pattern.slice(0, -1)) : key === pattern;

/** A bucket in memory, shared by the code that holds it. */
export function createMemoryBucket({
  ttlMs = Infinity,
  now = () => performance.now(),
}: MemoryBucketOptions = {}): Bucket {
  const entries = new Map<string, Stored>();
  const watchers = new Set<(change: BucketChange) => void>();
  let revision = 0;
  const find = (key: string): BucketEntry | undefined => {
    const stored = entries.get(key);
    return stored !== undefined && now() - stored.at < ttlMs ? stored.entry : undefined;
  };
  const tell = (change: BucketChange): void => {
    for (const changed of watchers) changed(change);
  };
  return {
    read: (key) => Promise.resolve(find(key)),
    write: (key, value, after) => {
      if ((find(key)?.revision ?? 0) !== after) return Promise.resolve(undefined);
      revision += 1;
      entries.set(key, { entry: { key, value, revision }, at: now() });
      tell({ key, value, revision });
      return Promise.resolve(revision);
    },
    remove: (key, after) => {
      if (find(key)?.revision !== after) return Promise.resolve(false);
      revision += 1;
      entries.delete(key);
      tell({ key, value: undefined, revision });
      return Promise.resolve(true);
    },
    watch: (pattern, changed) => {
      const watcher = (change: BucketChange): void => {
        if (fits(change.key, pattern)) changed(change);
      };
      for (const key of entries.keys()) {
        const entry = find(key);
        if (entry !== undefined) watcher(entry);
      }
      watchers.add(watcher);
      return Promise.resolve({ close: () => void watchers.delete(watcher) });
    },
  };
}
