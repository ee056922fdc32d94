import type { BusItem, EventItem } from "../subscriptions/bus-item.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** The next items of a subscription. */
export async function take(subscription: Subscription, count: number): Promise<BusItem[]> {
  const items: BusItem[] = [];
  while (items.length < count) {
    const { done, value } = await subscription.next();
    if (done === true) break;
    items.push(value);
  }
  return items;
}

/** The next events; other items are passed over. */
export async function takeEvents(subscription: Subscription, count: number): Promise<EventItem[]> {
  const events: EventItem[] = [];
  while (events.length < count) {
    const { done, value } = await subscription.next();
    if (done === true) break;
    if (value.kind === "event") events.push(value);
  }
  return events;
}
