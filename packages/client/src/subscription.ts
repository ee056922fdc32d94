import type { BusItem } from "./bus-item.ts";
import type { CancelSignal } from "./cancel-signal.ts";

export interface SubscribeOptions {
  /** Everything after this cursor; `0000:0` is the oldest there is. Without it, what is published from now on. */
  readonly from?: string;
  /** Whether events that this client published come back to it. They do not unless asked for. */
  readonly own?: boolean;
  readonly signal?: CancelSignal;
}

/**
 * Events of a pattern in the order of the log, each once, across reconnections. For one consumer. Ends when it, its
 * client or its signal is closed; throws when the bus refuses the pattern or the cursor, or the client failed.
 */
export interface Subscription {
  /** The next item, as soon as there is one. */
  next(): Promise<IteratorResult<BusItem, undefined>>;
  /** Ends it; what was not taken is dropped. Leaving a `for await` does this. */
  return(): Promise<IteratorResult<BusItem, undefined>>;
  [Symbol.asyncIterator](): Subscription;
  /** The same as `return`. Idempotent. */
  close(): void;
}
