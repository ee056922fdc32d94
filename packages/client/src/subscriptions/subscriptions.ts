import type { CancelSignal } from "claw-contract";
import { CLIENT_LIMITS, epochOf, onAbort } from "claw-contract/client";
import { openDurable } from "./durable-subscription.ts";
import type { Identity } from "../connection/hello.ts";
import type { Link } from "../connection/link.ts";
import { LiveReading } from "./live-reading.ts";
import type { DurableOptions, DurableSubscription, SubscribeOptions, Subscription } from "./subscription.ts";
import { createReader, WireSubscription } from "./wire-subscription.ts";
import type { Timer } from "../platform.ts";
import type { SubscriptionFrame } from "../connection/wire-frame.ts";
import type { SubscriptionLink, WireSubscriptionOptions } from "./wire-subscription.ts";

/** Options for code inside this package, beyond the public `SubscribeOptions`. */
export interface LiveOptions extends SubscribeOptions {
  /** When another log has replaced the old one, read only new events and skip the events the log already held. */
  readonly newOnly?: boolean;
}

/** All subscriptions of a client. Routes each frame to its subscription. */
export class Subscriptions {
  readonly #timer: Timer;
  /** Sends a subscription or an acknowledgement again that the bus refused for now. Undefined: the client gives up. */
  readonly #later: Timer["after"] | undefined;
  readonly #all = new Map<WireSubscription, () => void>();
  readonly #routes = new Map<string, WireSubscription>();
  readonly #ownIds = new Set<string>();
  #epoch: string | undefined;
  #attached: (SubscriptionLink & { readonly sinceMs: number }) | undefined;

  constructor(timer: Timer, isPatient: boolean) {
    this.#timer = timer;
    this.#later = isPatient ? (ms, run) => timer.after(ms, run) : undefined;
  }

  add(pattern: string, { from, own = false, newOnly = false, signal }: LiveOptions): Subscription {
    const isOwn = (peerId: string): boolean => this.#ownIds.has(peerId);
    const reading = new LiveReading({ from, own, newOnly, fallback: this.#recentStart(), isOwn });
    return createReader(this.#start({ pattern, reading }, signal));
  }

  addDurable(pattern: string, { signal, ...options }: DurableOptions): DurableSubscription {
    return openDurable(pattern, options, (wire) => this.#start(wire, signal), this.#later);
  }

  attach(link: Link, { peerId, cursor, restored }: Identity): void {
    const route: SubscriptionLink["route"] = (id, to) =>
      void (to === undefined ? this.#routes.delete(id) : this.#routes.set(id, to));
    const epoch = cursor === undefined ? undefined : epochOf(cursor);
    // A different log assigns this client's old peer ids to other peers.
    if (epoch === undefined ? !restored : epoch !== this.#epoch) this.#ownIds.clear();
    this.#epoch = epoch;
    this.#ownIds.add(peerId);
    this.#attached = { link, peerId, now: cursor, route, sinceMs: this.#timer.now() };
    for (const wire of this.#all.keys()) wire.attach(this.#attached);
  }

  detach(): void {
    this.#attached = undefined;
    this.#routes.clear();
    for (const wire of this.#all.keys()) wire.detach();
  }

  receive(frame: SubscriptionFrame, size: number): void {
    // The bus subscribes workers to commands without being asked. Those frames carry a subscription id without a route
    // and are ignored here.
    this.#routes.get(frame.subscriptionId)?.receive(frame, size);
  }

  /** Whether any subscription wants the events that this client publishes. */
  wantOwn(): boolean {
    for (const { reading } of this.#all.keys()) if (reading.echo) return true;
    return false;
  }

  /** Ends all subscriptions: cleanly, or with an error. */
  end(error?: Error): void {
    for (const wire of this.#all.keys()) wire.end(error);
  }

  #start(options: Omit<WireSubscriptionOptions, "ended">, signal: CancelSignal | undefined): WireSubscription {
    const wire = new WireSubscription({ ...options, later: this.#later, ended: () => this.#forget(wire) });
    this.#all.set(wire, () => undefined);
    if (this.#attached !== undefined) wire.attach({ ...this.#attached, now: undefined });
    const stop = onAbort(signal, () => wire.end());
    if (this.#all.has(wire)) this.#all.set(wire, stop);
    return wire;
  }

  #forget(wire: WireSubscription): void {
    this.#all.get(wire)?.();
    this.#all.delete(wire);
  }

  /** The cursor at which the present connection began, if it began recently enough to count as now. */
  #recentStart(): string | undefined {
    const { now, sinceMs } = this.#attached ?? { now: undefined, sinceMs: 0 };
    return this.#timer.now() - sinceMs <= CLIENT_LIMITS.silenceMs ? now : undefined;
  }
}
