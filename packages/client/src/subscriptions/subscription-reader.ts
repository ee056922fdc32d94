import type { Subscription } from "./subscription.ts";
import type { WireSubscription } from "./wire-subscription.ts";

/** The subscription object that the consumer uses. */
export function createReader(wire: WireSubscription): Subscription {
  const reader: Subscription = {
    next: () => wire.next(),
    return: () => {
      wire.end();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => reader,
    id: () => wire.id(),
    cursor: () => wire.cursor(),
    ready: () => wire.ready(),
    close: () => wire.end(),
  };
  return reader;
}
