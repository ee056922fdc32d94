import { CLIENT_LIMITS, members } from "claw-contract/client";
import type { BusItem } from "./bus-item.ts";
import { cursorAfter, readItem } from "./bus-item.ts";
import type { Deferred } from "../deferred.ts";
import { createDeferred } from "../deferred.ts";
import { ItemBuffer } from "./item-buffer.ts";
import type { Link } from "../connection/link.ts";
import type { SubscriptionReading } from "./reading.ts";
import { resolveSelf } from "../publishing/prepare-publish.ts";
import type { Timer } from "../platform.ts";
import {
  againAfterMs,
  closedError,
  displacedError,
  incompleteError,
  subscribeError,
} from "../connection/wire-error.ts";
import type { WireReply, SubscriptionFrame } from "../connection/wire-frame.ts";
import type { Subscription } from "./subscription.ts";

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

/** A connection as a subscription sees it. */
export interface SubscriptionLink {
  readonly link: Link;
  readonly peerId: string;
  /** Where the log stood when the connection began; undefined for a subscription that was made later. */
  readonly now: string | undefined;
  /** Sends frames with this subscription id to the given subscription; undefined removes the route. */
  route(subscriptionId: string, to: WireSubscription | undefined): void;
}

export interface WireSubscriptionOptions {
  readonly pattern: string;
  readonly reading: SubscriptionReading;
  /** Opens the subscription again when the bus cannot do it for now. Undefined: the refusal ends the subscription. */
  readonly later?: Timer["after"] | undefined;
  /** Called once, at the end. */
  readonly ended: () => void;
  /** Called each time the bus has accepted the subscription. */
  readonly opened?: (link: Link, subscriptionId: string) => void;
  /** Called once at the end, with the reason why the subscription cannot be used any more. */
  readonly closed?: (error: Error) => void;
}

/**
 * A subscription as the client holds it. While the consumer lags, the client withdraws the subscription from the bus
 * and later opens it again from the last event that arrived. The log holds the missing events, the buffer stays
 * bounded, and receipts and other subscriptions on the same connection are not delayed.
 */
export class WireSubscription {
  readonly reading: SubscriptionReading;
  readonly #options: WireSubscriptionOptions;
  readonly #buffer: ItemBuffer<BusItem>;
  readonly #ready: Deferred<string> = createDeferred();
  #state: "idle" | "opening" | "open" | "paused" | "ended" = "idle";
  #attachment: SubscriptionLink | undefined;
  #serverId: string | undefined;
  /** The cursor after the last item the consumer took. */
  #cursor: string | undefined;

  constructor(options: WireSubscriptionOptions) {
    const limits = { items: CLIENT_LIMITS.bufferedEvents, size: CLIENT_LIMITS.bufferedBytes };
    this.#options = options;
    this.reading = options.reading;
    this.#buffer = new ItemBuffer(limits, (item) => this.#given(item));
    this.#cursor = options.reading.position();
  }

  next(): Promise<IteratorResult<BusItem, undefined>> {
    return this.#buffer.next();
  }

  id(): string | undefined {
    return this.#serverId;
  }

  cursor(): string | undefined {
    return this.#cursor;
  }

  ready(): Promise<string> {
    return this.#ready.promise;
  }

  attach(attachment: SubscriptionLink): void {
    this.#attachment = attachment;
    this.reading.joined(attachment.now);
    this.#cursor ??= this.reading.position();
    if (this.#state === "idle") this.#open(attachment);
  }

  detach(): void {
    this.#attachment = undefined;
    this.#serverId = undefined;
    if (this.#state === "opening" || this.#state === "open") this.#state = "idle";
  }

  receive(frame: SubscriptionFrame, size: number): void {
    if (this.#state !== "open") return;
    if (frame.push === "detached") return this.end(displacedError(this.#options.pattern, frame.durable));
    if (frame.push === "message" && frame.sequence === undefined) {
      // A lagging consumer gets no notices: they would add to the lag and cannot be read again later.
      if (!this.#buffer.full()) this.#buffer.push(readItem(frame), size);
      return;
    }
    const verdict = this.reading.judge(frame);
    if (verdict === "skip") return;
    const item = readItem(frame);
    if (verdict === "again") this.drop((sequence) => item.kind === "event" && sequence >= item.sequence);
    this.#buffer.push(item, size);
    if (this.reading.pauses && this.#buffer.full()) this.#pause();
  }

  /** Removes waiting events that the consumer has not taken yet. */
  drop(unwanted: (sequence: number) => boolean): void {
    this.#buffer.drop((item) => item.kind === "event" && unwanted(item.sequence));
  }

  end(error?: Error): void {
    if (this.#state === "ended") return;
    this.#withdraw();
    this.#state = "ended";
    this.#buffer.end(error);
    const reason = error ?? closedError("subscribe", this.#options.pattern);
    this.#ready.reject(reason);
    this.#options.closed?.(reason);
    this.#options.ended();
  }

  #given(item: BusItem): void {
    this.#cursor = cursorAfter(item) ?? this.#cursor;
    if (this.#state === "paused" && this.#buffer.low()) this.#resume();
  }

  #open(attachment: SubscriptionLink): void {
    this.#state = "opening";
    const topic = resolveSelf(this.#options.pattern, attachment.peerId);
    attachment.link.call(members({ cmd: "subscribe", topic, ...this.reading.fields() }), (reply) => {
      if (reply === undefined || this.#attachment !== attachment) return;
      if (this.#state === "opening") this.#opened(attachment, reply);
      else if (reply.ok) unsubscribe(attachment.link, String(reply["subscriptionId"]));
    });
  }

  #opened(attachment: SubscriptionLink, reply: WireReply): void {
    const { subscriptionId, resumeCursor } = reply;
    if (!reply.ok) return this.#refused(attachment, reply);
    if (typeof subscriptionId !== "string" || typeof resumeCursor !== "string") {
      return this.end(incompleteError("subscribe", this.#options.pattern));
    }
    this.#state = "open";
    this.#serverId = subscriptionId;
    this.reading.opened(reply);
    this.#cursor ??= this.reading.position();
    attachment.route(subscriptionId, this);
    this.#ready.resolve(this.#cursor ?? resumeCursor);
    this.#options.opened?.(attachment.link, subscriptionId);
    return undefined;
  }

  #refused(attachment: SubscriptionLink, reply: WireReply): void {
    const againMs = againAfterMs(reply);
    const { later } = this.#options;
    if (againMs !== undefined && later !== undefined) {
      return void later(againMs, () => {
        if (this.#attachment === attachment && this.#state === "opening") this.#open(attachment);
      });
    }
    const error = subscribeError(this.#options.pattern, this.reading.position(), reply);
    const gap = error.code === "INVALID_CURSOR" ? this.reading.replaced() : undefined;
    if (gap === undefined) return this.end(error);
    this.#buffer.push(gap, 0);
    return this.#open(attachment);
  }

  #withdraw(): void {
    if (this.#attachment === undefined || this.#serverId === undefined) return;
    this.#attachment.route(this.#serverId, undefined);
    unsubscribe(this.#attachment.link, this.#serverId);
    this.#serverId = undefined;
  }

  #pause(): void {
    this.#withdraw();
    this.#state = "paused";
  }

  #resume(): void {
    this.#state = "idle";
    if (this.#attachment !== undefined) this.#open(this.#attachment);
  }
}

function unsubscribe(link: Link, subscriptionId: string): void {
  link.call(members({ cmd: "unsubscribe", subscriptionId }), () => undefined);
}
