/** One entry of a bucket. */
export interface BucketEntry {
  readonly key: string;
  readonly value: string;
  /** Grows with every write of the bucket, whatever its key. */
  readonly revision: number;
}

/** A change of a key. `value` is absent when the key was removed. */
export interface BucketChange {
  readonly key: string;
  readonly value: string | undefined;
  readonly revision: number;
}

/** Goes on until it is closed. */
export interface BucketWatch {
  close(): void;
}

/**
 * Small values that all machines of a cluster share. Every write names the revision that it replaces, so that of two
 * writers one is refused. Keys are words of letters, digits, `-`, `_`, `/` and `=`, joined by dots.
 *
 * Each method rejects with `NATS_UNREACHABLE`, retryable, when no answer came. Then a write may have happened or not, and
 * only reading the key tells.
 */
export interface Bucket {
  /** The newest value, as the leader of the bucket knows it. Undefined for a key that is not there. */
  read(key: string): Promise<BucketEntry | undefined>;
  /**
   * Writes when the newest revision of the key is `after`, or, with 0, when the key is not there. Resolves with the new
   * revision once it is stored, or with undefined when the key has another revision.
   */
  write(key: string, value: string, after: number): Promise<number | undefined>;
  /** Removes a key when its newest revision is `after`. Resolves with false when the key has another revision. */
  remove(key: string, after: number): Promise<boolean>;
  /**
   * Calls `changed` with the newest value of each key that fits, then with changes, in their order. A change is left out
   * when a newer one of the same key comes before it was given. `pattern` is a key, or ends in `>`, which stands for the
   * rest of a key. Resolves when the values of the beginning were given. A key that expires is not a change. After a lost
   * connection the newest value of each key is given again.
   */
  watch(pattern: string, changed: (change: BucketChange) => void): Promise<BucketWatch>;
}
