import type { EventItem } from "./bus-item.ts";
import type { Link } from "./link.ts";
import { refusalError } from "./wire-error.ts";
import { members } from "./wire-frame.ts";

/** Everything up to and including this event. */
export type Acknowledged = Pick<EventItem, "sequence" | "cursor">;

interface Waiting {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Acknowledgements of one durable subscription. One is under way at a time; as each covers everything before it, only
 * the latest of those that wait is sent next, and again on a new connection when the answer was lost.
 */
export class Acknowledgements {
  readonly #name: string;
  #latest: Acknowledged | undefined;
  #waiting: Waiting[] = [];
  #failure: Error | undefined;
  #attached: { readonly link: Link; readonly subscriptionId: string } | undefined;
  #busy = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Resolves when the bus has it on disk. Rejects with the bus's refusal, or with what `fail` was given. */
  add(upTo: Acknowledged): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (upTo.sequence > (this.#latest?.sequence ?? 0)) this.#latest = upTo;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sequence: upTo.sequence, resolve, reject });
      this.#send();
    });
  }

  /** The bus takes them from here on. */
  attach(link: Link, subscriptionId: string): void {
    this.#attached = { link, subscriptionId };
    this.#busy = false;
    this.#send();
  }

  /** Nothing can be acknowledged any more. */
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
      this.#busy = false;
      if (reply.ok) this.#settle(latest.sequence, ({ resolve }) => resolve());
      else this.#settle(latest.sequence, ({ reject }) => reject(refusalError("ack", this.#name, reply)));
      this.#send();
    });
  }

  #settle(sequence: number, settle: (waiting: Waiting) => void): void {
    const done = this.#waiting.filter((waiting) => waiting.sequence <= sequence);
    this.#waiting = this.#waiting.filter((waiting) => waiting.sequence > sequence);
    for (const waiting of done) settle(waiting);
  }
}
