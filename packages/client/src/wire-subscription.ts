import { matchTopic } from "@claw/contract";
import type { BusItem } from "./bus-item.ts";
import { readItem } from "./bus-item.ts";
import { CLIENT_LIMITS } from "./client-limits.ts";
import { ItemBuffer } from "./item-buffer.ts";
import type { Link } from "./link.ts";
import { resolveSelf } from "./self-topic.ts";
import { refusalError } from "./wire-error.ts";
import type { MessageFrame, DeliveryFrame, Reply } from "./wire-frame.ts";
import { members } from "./wire-frame.ts";

/** A connection as a subscription sees it. */
export interface Attachment {
  readonly link: Link;
  readonly peerId: string;
  /** Frames under this id go to that subscription; to nobody without one. */
  route(subscriptionId: string, to: WireSubscription | undefined): void;
}

export interface WireSubscriptionOptions {
  readonly pattern: string;
  readonly from: string | undefined;
  readonly own: boolean;
  /** Whether a peer id is or was this client's. */
  readonly isOwn: (peerId: string) => boolean;
  readonly ended: (subscription: WireSubscription) => void;
}

/**
 * A subscription as its client holds it. While its consumer lags, it is taken back from the bus and made again from
 * the last event that arrived: the log holds what is missing, the buffer stays bounded, and receipts and other
 * subscriptions on the same connection are not held up.
 */
export class WireSubscription {
  readonly own: boolean;
  readonly #options: WireSubscriptionOptions;
  readonly #buffer: ItemBuffer<BusItem>;
  #state: "idle" | "opening" | "open" | "paused" | "ended" = "idle";
  #attachment: Attachment | undefined;
  #serverId: string | undefined;
  #position: string | undefined;
  /** Whether it was never open and began at no cursor. */
  #fresh: boolean;
  #announces: boolean;
  #lastStray = 0;

  constructor(options: WireSubscriptionOptions) {
    const limits = { items: CLIENT_LIMITS.bufferedEvents, size: CLIENT_LIMITS.bufferedBytes };
    this.#options = options;
    this.#buffer = new ItemBuffer(limits, () => this.#reopen());
    this.#position = options.from;
    this.#fresh = options.from === undefined;
    this.#announces = options.from !== undefined;
    this.own = options.own;
  }

  next(): Promise<IteratorResult<BusItem, undefined>> {
    return this.#buffer.next();
  }

  attach(attachment: Attachment): void {
    this.#attachment = attachment;
    if (this.#state === "idle") this.#open(attachment);
  }

  detach(): void {
    this.#attachment = undefined;
    this.#serverId = undefined;
    if (this.#state === "opening" || this.#state === "open") this.#state = "idle";
  }

  receive(frame: DeliveryFrame, size: number): void {
    if (this.#state !== "open") return;
    this.#take(frame, size);
    if (this.#buffer.full()) this.#pause();
  }

  /**
   * An event under an id nobody asked for: the bus subscribes workers to their commands by itself, and what comes
   * that way before the answer to `subscribe` comes no other way.
   */
  stray(frame: MessageFrame, size: number): void {
    if (this.#state !== "opening" || !this.#fresh || frame.sequence <= this.#lastStray) return;
    const peerId = this.#attachment?.peerId ?? "";
    if (!matchTopic(resolveSelf(this.#options.pattern, peerId), frame.topic)) return;
    this.#lastStray = frame.sequence;
    this.#take(frame, size);
  }

  end(error?: Error): void {
    if (this.#state === "ended") return;
    this.#withdraw();
    this.#state = "ended";
    this.#buffer.end(error);
    this.#options.ended(this);
  }

  #take(frame: DeliveryFrame, size: number): void {
    if (frame.push === "message") this.#position = frame.cursor;
    if (frame.push === "gap") this.#position = frame.to;
    if (frame.push === "message" && !this.own && this.#options.isOwn(frame.from)) return;
    if (frame.push === "caught-up" && !this.#announces) return;
    if (frame.push === "caught-up") this.#announces = false;
    this.#buffer.push(readItem(frame), size);
  }

  #open(attachment: Attachment): void {
    this.#state = "opening";
    const topic = resolveSelf(this.#options.pattern, attachment.peerId);
    attachment.link.call(members({ cmd: "subscribe", topic, fromCursor: this.#position }), (reply) => {
      if (reply === undefined || this.#attachment !== attachment) return;
      if (this.#state === "opening") this.#opened(attachment, reply);
      else if (reply.ok) unsubscribe(attachment.link, String(reply["subscriptionId"]));
    });
  }

  #opened(attachment: Attachment, reply: Reply): void {
    if (!reply.ok) return this.end(refusalError("subscribe", this.#options.pattern, reply));
    this.#state = "open";
    this.#fresh = false;
    this.#serverId = String(reply["subscriptionId"]);
    this.#position ??= String(reply["resumeCursor"]);
    attachment.route(this.#serverId, this);
    return undefined;
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

  #reopen(): void {
    if (this.#state !== "paused" || !this.#buffer.low()) return;
    this.#state = "idle";
    if (this.#attachment !== undefined) this.#open(this.#attachment);
  }
}

function unsubscribe(link: Link, subscriptionId: string): void {
  link.call(members({ cmd: "unsubscribe", subscriptionId }), () => undefined);
}
