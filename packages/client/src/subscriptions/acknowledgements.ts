import { members } from "claw-contract/client";
import type { EventItem } from "./bus-item.ts";
import type { Link } from "../connection/link.ts";
import type { Timer } from "../platform.ts";
import { againAfterMs, refusalError } from "../connection/wire-error.ts";

/** The newest acknowledged event. All events before it are acknowledged too. */
export type Acknowledged = Pick<EventItem, "sequence" | "cursor">;

interface WaitingAck {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Acknowledgements of one durable subscription. One acknowledgement is under way at a time. Each covers all events
 * before it, so only the latest waiting one is sent next. When the connection is lost before the reply, it is sent
 * again on the new connection; when the bus cannot store it for now, it is sent again later.
 */
export class Acknowledgements {
  readonly #name: string;
  readonly #later: Timer["after"] | undefined;
  #latest: Acknowledged | undefined;
  #waiting: WaitingAck[] = [];
  #failure: Error | undefined;
  #attached: { readonly link: Link; readonly subscriptionId: string } | undefined;
  #busy = false;

  /** Without `later`, an acknowledgement that the bus cannot store for now is rejected. */
  constructor(name: string, later: Timer["after"] | undefined) {
    this.#name = name;
    this.#later = later;
  }

  /**
   * Resolves when the bus has the acknowledgement on disk. Rejects with the bus's refusal, or with the error given to
   * `fail`.
   */
  add(upTo: Acknowledged): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (upTo.sequence > (this.#latest?.sequence ?? 0)) this.#latest = upTo;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sequence: upTo.sequence, resolve, reject });
      this.#send();
    });
  }

  /** Sends acknowledgements over this connection from now on. */
  attach(link: Link, subscriptionId: string): void {
    this.#attached = { link, subscriptionId };
    this.#busy = false;
    this.#send();
  }

  /** Rejects every waiting and every later acknowledgement with this error. */
  fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #send(): void {
    const attached = this.#attached;
    const latest = this.#latest;
    if (attached === undefined || latest === undefined || this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    const { subscriptionId, link } = attached;
    link.call(members({ cmd: "ack", subscriptionId, cursor: latest.cursor }), (reply) => {
      if (reply === undefined || this.#attached !== attached) return;
      const againMs = againAfterMs(reply);
      if (againMs !== undefined && this.#later !== undefined) {
        return void this.#later(againMs, () => {
          if (this.#attached === attached) this.#sendNext();
        });
      }
      if (reply.ok) this.#settle(latest.sequence, ({ resolve }) => resolve());
      else this.#settle(latest.sequence, ({ reject }) => reject(refusalError("ack", this.#name, reply)));
      return this.#sendNext();
    });
  }

  #sendNext(): void {
    this.#busy = false;
    this.#send();
  }

  #settle(sequence: number, settle: (waiting: WaitingAck) => void): void {
    const done = this.#waiting.filter((waiting) => waiting.sequence <= sequence);
    this.#waiting = this.#waiting.filter((waiting) => waiting.sequence > sequence);
    for (const waiting of done) settle(waiting);
  }
}
