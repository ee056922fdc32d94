import type { CancelSignal } from "claw-contract";
import type { Acknowledged } from "./acknowledgements.ts";
import type { BusItem } from "./bus-item.ts";

export interface SubscribeOptions {
  /** Read events after this cursor; `0000:0` stands before the oldest event. Default: events published from now on. */
  readonly from?: string;
  /** Whether to receive the events that this client publishes; false by default. */
  readonly own?: boolean;
  readonly signal?: CancelSignal;
}

export interface DurableOptions {
  /**
   * Unique in the workspace; letters, digits, `.`, `_` and `-`. A reader that subscribes under this name continues
   * after the last acknowledged event.
   */
  readonly name: string;
  /** Where the first reader of this name begins; from now on by default. Later readers ignore this cursor. */
  readonly from?: string;
  /** How long an event waits for an acknowledgement before the bus sends it again; 30 s by default. */
  readonly ackWaitMs?: number;
  /** Number of events that may wait for an acknowledgement. The bus holds back further events. */
  readonly maxInFlight?: number;
  readonly signal?: CancelSignal;
}

/**
 * Events of a pattern in the order of the log, each once, across reconnections. For one consumer. The subscription ends
 * when it is closed, the client is closed or the signal is aborted. It throws when the bus refuses the pattern or the
 * cursor, or when the client failed.
 */
export interface Subscription {
  /** The next item, as soon as there is one. */
  next(): Promise<IteratorResult<BusItem, undefined>>;
  /** Ends the subscription and drops the items not taken yet. Leaving a `for await` loop calls this. */
  return(): Promise<IteratorResult<BusItem, undefined>>;
  [Symbol.asyncIterator](): Subscription;
  /** The subscription's id on the present connection; undefined without a connection. */
  id(): string | undefined;
  /**
   * The position of the consumer: a subscription from this cursor continues after the last item taken. Undefined until
   * the position is known.
   */
  cursor(): string | undefined;
  /**
   * Resolves with the starting cursor once the bus has accepted the subscription: no event published afterwards is
   * missed. Rejects when the subscription ended before, with BUS_CLOSED when the caller closed it.
   */
  ready(): Promise<string>;
  /** The same as `return`. Idempotent. */
  close(): void;
}

/**
 * Events of a pattern until they are acknowledged, across processes. An event not acknowledged in time is delivered
 * again, together with all events after it. The client's own events are included. One reader at a time: when another
 * reader subscribes under the same name, this one throws DURABLE_TAKEN_OVER. Closing the subscription keeps the name
 * and the last acknowledgement on the bus.
 */
export interface DurableSubscription extends Subscription {
  /**
   * Acknowledges an event and all events before it. Resolves when the bus has the acknowledgement on disk; waits for a
   * connection. Rejects with the bus's refusal, or when the subscription ended before.
   */
  ack(upTo: Acknowledged): Promise<void>;
}
