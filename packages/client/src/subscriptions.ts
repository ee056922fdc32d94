import { CLIENT_LIMITS } from "@claw/contract";
import type { CancelSignal } from "./cancel-signal.ts";
import { onAbort } from "./cancel-signal.ts";
import { epochOf } from "./cursor.ts";
import { openDurable } from "./durable-subscription.ts";
import type { Identity } from "./hello.ts";
import type { Link } from "./link.ts";
import { LiveReading } from "./live-reading.ts";
import type { DurableOptions, DurableSubscription, SubscribeOptions, Subscription } from "./subscription.ts";
import { createReader } from "./subscription-reader.ts";
import type { Timer } from "./timer.ts";
import type { SubscriptionFrame } from "./wire-frame.ts";
import type { Attachment, WireSubscriptionOptions } from "./wire-subscription.ts";
import { WireSubscription } from "./wire-subscription.ts";

/** What the parts of this package may ask for beyond what is offered to everybody. */
export interface LiveOptions extends SubscribeOptions {
  /** Of a log that took another's place only what is new is wanted, not what was in it before. */
  readonly newOnly?: boolean;
}

/** Every subscription of a client, and which of them a frame is for. */
export class Subscriptions {
  readonly #timer: Timer;
  readonly #all = new Map<WireSubscription, () => void>();
  readonly #routes = new Map<string, WireSubscription>();
  readonly #ownIds = new Set<string>();
  #epoch: string | undefined;
  #attached: (Attachment & { readonly sinceMs: number }) | undefined;

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  add(pattern: string, { from, own = false, newOnly = false, signal }: LiveOptions): Subscription {
    const isOwn = (peerId: string): boolean => this.#ownIds.has(peerId);
    const reading = new LiveReading({ from, own, newOnly, fallback: this.#recentStart(), isOwn });
    return createReader(this.#start({ pattern, reading }, signal));
  }

  addDurable(pattern: string, { signal, ...options }: DurableOptions): DurableSubscription {
    return openDurable(pattern, options, (wire) => this.#start(wire, signal));
  }

  attach(link: Link, { peerId, cursor, restored }: Identity): void {
    const route: Attachment["route"] = (id, to) =>
      void (to === undefined ? this.#routes.delete(id) : this.#routes.set(id, to));
    const epoch = cursor === undefined ? undefined : epochOf(cursor);
    // Another log gives the ids of the one before to others.
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
    // The bus subscribes workers to their commands by itself; what comes that way comes under an id nobody asked for.
    this.#routes.get(frame.subscriptionId)?.receive(frame, size);
  }

  /** Whether one of them wants this client's own events. */
  wantOwn(): boolean {
    for (const { reading } of this.#all.keys()) if (reading.echo) return true;
    return false;
  }

  /** Ends all of them: cleanly, or with an error. */
  end(error?: Error): void {
    for (const wire of this.#all.keys()) wire.end(error);
  }

  #start(options: Omit<WireSubscriptionOptions, "ended">, signal: CancelSignal | undefined): WireSubscription {
    const wire = new WireSubscription({ ...options, ended: () => this.#forget(wire) });
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

  /** Where a connection began that is no older than what may pass for now. */
  #recentStart(): string | undefined {
    const { now, sinceMs } = this.#attached ?? { now: undefined, sinceMs: 0 };
    return this.#timer.now() - sinceMs <= CLIENT_LIMITS.silenceMs ? now : undefined;
  }
}
