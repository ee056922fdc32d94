import { onAbort } from "./cancel-signal.ts";
import type { Link } from "./link.ts";
import type { SubscribeOptions, Subscription } from "./subscription.ts";
import type { DeliveryFrame } from "./wire-frame.ts";
import type { Attachment } from "./wire-subscription.ts";
import { WireSubscription } from "./wire-subscription.ts";

/** Every subscription of a client, and which of them a frame is for. */
export interface Subscriptions {
  add(pattern: string, options: SubscribeOptions): Subscription;
  attach(link: Link, peerId: string): void;
  detach(): void;
  receive(frame: DeliveryFrame, size: number): void;
  /** Whether one of them wants this client's own events. */
  wantOwn(): boolean;
  /** Ends all of them: cleanly, or with an error. */
  end(error?: Error): void;
}

/** The face that a consumer sees. */
function createReader(wire: WireSubscription): Subscription {
  const reader: Subscription = {
    next: () => wire.next(),
    return: () => {
      wire.end();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => reader,
    close: () => wire.end(),
  };
  return reader;
}

/** Which subscription a frame is for. */
function createRoutes() {
  const routes = new Map<string, WireSubscription>();
  return {
    clear: (): void => routes.clear(),
    find: (subscriptionId: string): WireSubscription | undefined => routes.get(subscriptionId),
    route: (subscriptionId: string, to: WireSubscription | undefined): void => {
      if (to === undefined) routes.delete(subscriptionId);
      else routes.set(subscriptionId, to);
    },
  };
}

export function createSubscriptions(): Subscriptions {
  const all = new Map<WireSubscription, () => void>();
  const { route, ...routes } = createRoutes();
  const ownIds = new Set<string>();
  let attached: Attachment | undefined;

  const isOwn = (peerId: string): boolean => ownIds.has(peerId);
  const ended = (subscription: WireSubscription): void => {
    all.get(subscription)?.();
    all.delete(subscription);
  };
  return {
    add: (pattern, { from, own = false, signal }) => {
      const wire = new WireSubscription({ pattern, from, own, isOwn, ended });
      all.set(wire, () => undefined);
      if (attached !== undefined) wire.attach(attached);
      const stop = onAbort(signal, () => wire.end());
      if (all.has(wire)) all.set(wire, stop);
      return createReader(wire);
    },
    attach: (link, peerId) => {
      ownIds.add(peerId);
      attached = { link, peerId, route };
      for (const wire of all.keys()) wire.attach(attached);
    },
    detach: () => {
      attached = undefined;
      routes.clear();
      for (const wire of all.keys()) wire.detach();
    },
    receive: (frame, size) => {
      const wire = routes.find(frame.subscriptionId);
      if (wire !== undefined) return wire.receive(frame, size);
      if (frame.push === "message") for (const each of all.keys()) each.stray(frame, size);
      return undefined;
    },
    wantOwn: () => [...all.keys()].some(({ own }) => own),
    end: (error) => {
      for (const wire of all.keys()) wire.end(error);
    },
  };
}
