import type { StoredReceipt } from "./dedupe.ts";
import type { Store } from "./store-event.ts";
import { store } from "./store-event.ts";

export interface ServerEvent {
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Peer that publishes through the server; `server` when absent. */
  readonly from?: string;
  /** Whether the publishing peer's subscriptions get the event too. */
  readonly echo?: boolean;
}

/**
 * Stores events next to each other in the log. Calls `done` once all events are settled: with their receipts, or with
 * the first error. An empty list calls `done` at once.
 */
export function appendEvents(
  context: Store,
  events: readonly ServerEvent[],
  done: (outcome: readonly StoredReceipt[] | Error) => void,
): void {
  const receipts: StoredReceipt[] = [];
  let failure: Error | undefined;
  let left = events.length;
  if (left === 0) return done([]);
  for (const { topic, payload, from = "server", echo = false } of events) {
    store(context, { topic, from, payload: JSON.stringify(payload), echo }, (outcome) => {
      if (outcome instanceof Error) failure ??= outcome;
      else receipts.push(outcome);
      left -= 1;
      if (left === 0) done(failure ?? receipts);
    });
  }
  return undefined;
}
