import type { Acknowledged } from "./acknowledgements.ts";
import type { BusItem } from "./bus-item.ts";
import type { CancelSignal } from "./cancel-signal.ts";

export interface SubscribeOptions {
  /** Everything after this cursor; `0000:0` is the oldest there is. Without it, what is published from now on. */
  readonly from?: string;
  /** Whether events that this client published come back to it. They do not unless asked for. */
  readonly own?: boolean;
  readonly signal?: CancelSignal;
}

export interface DurableOptions {
  /** One in the workspace; letters, digits, `.`, `_` and `-`. Whoever subscribes under it goes on where it was left. */
  readonly name: string;
  /** Where the first reader begins; now without it. Of no account to those who follow. */
  readonly from?: string;
  /** How long an event waits for its acknowledgement before it comes again; 30 s unless given. */
  readonly ackWaitMs?: number;
  /** Events that may wait for their acknowledgement; further ones are held back. */
  readonly maxInFlight?: number;
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
  /** What the bus calls it on the present connection; undefined while there is none. */
  id(): string | undefined;
  /** Where its consumer stands: subscribing from here goes on after it. Undefined until that is known. */
  cursor(): string | undefined;
  /**
   * Resolves with where it begins, once the bus has taken it: nothing that is published afterwards is missed. Rejects
   * when it ended before, with BUS_CLOSED when that was wanted.
   */
  ready(): Promise<string>;
  /** The same as `return`. Idempotent. */
  close(): void;
}

/**
 * Events of a pattern until they are acknowledged, across processes: what was not acknowledged in time comes again,
 * and so does what follows it. Own events are among them. One reader at a time: when another subscribes under the
 * same name, this one throws DURABLE_TAKEN_OVER. Closing it leaves the name and what was acknowledged behind.
 */
export interface DurableSubscription extends Subscription {
  /**
   * Acknowledges everything up to and including an event. Resolves when the bus has that on disk; waits for a
   * connection. Rejects with the bus's refusal, or when the subscription ended before.
   */
  ack(upTo: Acknowledged): Promise<void>;
}
