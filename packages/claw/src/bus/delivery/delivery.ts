import type { DirectPush } from "./direct-push.ts";
import { createDirectPush } from "./direct-push.ts";
import type { DurableStore } from "./durable/durable-store.ts";
import type { Durables } from "./durable/durables.ts";
import { createDurables } from "./durable/durables.ts";
import { createMemoryDurableStore } from "./durable/memory-durable-store.ts";
import type { Fanout } from "./fanout.ts";
import { createFanout } from "./fanout.ts";
import type { KeptSubscriptions } from "./kept-subscriptions.ts";
import { createKeptSubscriptions } from "./kept-subscriptions.ts";

/** The state of `delivery`: which peers get which events. */
export interface Delivery {
  readonly fanout: Fanout;
  readonly kept: KeptSubscriptions;
  readonly durables: Durables;
  readonly direct: DirectPush;
}

export interface DeliveryOptions {
  readonly now: () => number;
  /** Without it, durable subscriptions die with the process. */
  readonly durables?: DurableStore;
}

export const createDelivery = ({ now, durables = createMemoryDurableStore() }: DeliveryOptions): Delivery => ({
  fanout: createFanout(),
  kept: createKeptSubscriptions(),
  durables: createDurables(durables),
  direct: createDirectPush(now),
});
