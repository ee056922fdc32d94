import type { BusContext } from "./bus-context.ts";
import type { Receipt } from "./dedupe.ts";
import { store } from "./store-event.ts";

export interface ServerEvent {
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The server itself unless a peer speaks through it. */
  readonly from?: string;
  /** Whether subscriptions of that peer get it too. */
  readonly echo?: boolean;
}

/**
 * Stores events next to each other in the log and tells when the last of them is committed, or the first error.
 * With nothing to store it is done at once.
 */
export function appendEvents(
  context: BusContext,
  events: readonly ServerEvent[],
  done: (outcome: readonly Receipt[] | Error) => void,
): void {
  const receipts: Receipt[] = [];
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
