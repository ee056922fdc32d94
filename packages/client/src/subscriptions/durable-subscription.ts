import { Acknowledgements } from "./acknowledgements.ts";
import { DurableReading } from "./durable-reading.ts";
import type { DurableOptions, DurableSubscription } from "./subscription.ts";
import { createReader } from "./wire-subscription.ts";
import type { WireSubscription, WireSubscriptionOptions } from "./wire-subscription.ts";

type Start = (options: Omit<WireSubscriptionOptions, "ended">) => WireSubscription;

/** A subscription whose events are acknowledged. */
export function openDurable(
  pattern: string,
  { name, from, ackWaitMs, maxInFlight }: Omit<DurableOptions, "signal">,
  start: Start,
): DurableSubscription {
  const acks = new Acknowledgements(name);
  const reading = new DurableReading({ name, from, ackWaitMs, maxInFlight });
  const wire = start({
    pattern,
    reading,
    opened: (link, subscriptionId) => acks.attach(link, subscriptionId),
    closed: (error) => acks.fail(error),
  });
  const reader: DurableSubscription = {
    ...createReader(wire),
    [Symbol.asyncIterator]: () => reader,
    ack: (upTo) => {
      // Copies that came again and wait to be taken are not wanted any more, nor those that are on their way.
      wire.drop((sequence) => sequence <= upTo.sequence);
      reading.acknowledge(upTo);
      const stored = acks.add(upTo);
      stored.catch(() => reading.acknowledge(undefined));
      return stored;
    },
  };
  return reader;
}
