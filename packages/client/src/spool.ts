import { ClawError, CLIENT_LIMITS } from "@claw/contract";
import type { Link } from "./link.ts";
import { incompleteError, refusalError } from "./wire-error.ts";
import type { Reply } from "./wire-frame.ts";

/** What the bus says of an event it has stored. */
export interface Receipt {
  readonly sequence: number;
  readonly cursor: string;
  /** Whether it was stored before, under the same id. */
  readonly duplicate: boolean;
  /** Live subscriptions it matched. */
  readonly deliveredTo: number;
}

export interface SpooledEvent {
  readonly id: string;
  readonly topic: string;
  /** UTF-16 units it takes up while it waits. */
  readonly size: number;
  /** The publish command as JSON members; the same for the same arguments. */
  command(peerId: string, echo: boolean): string;
}

interface Entry {
  readonly event: SpooledEvent;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: ClawError) => void;
}

/** Undefined when the bus did not say where the event is. */
function receiptOf({ sequence, cursor, duplicate, deliveredTo }: Reply): Receipt | undefined {
  if (typeof sequence !== "number" || typeof cursor !== "string") return undefined;
  return { sequence, cursor, duplicate: duplicate === true, deliveredTo: Number(deliveredTo) || 0 };
}

function settle({ event, resolve, reject }: Entry, reply: Reply): void {
  if (!reply.ok) return reject(refusalError("publish", event.topic, reply));
  const receipt = receiptOf(reply);
  return receipt === undefined ? reject(incompleteError("publish", event.topic)) : resolve(receipt);
}

const fullError = (topic: string): ClawError =>
  new ClawError("SPOOL_FULL", "too many events wait for the bus", { operation: "publish", target: topic });

interface Attached {
  readonly link: Link;
  readonly peerId: string;
  stalled: boolean;
}

/**
 * Events without a receipt, oldest first. Each is sent as soon as there is a connection and again on every new one,
 * until the bus has answered. Holds a bounded number of events and bytes; more are refused with SPOOL_FULL.
 */
export class Spool {
  readonly #echo: () => boolean;
  #entries = new Set<Entry>();
  readonly #idle: (() => void)[] = [];
  #unsent: Entry[] = [];
  #bytes = 0;
  #attached: Attached | undefined;

  /** `echo` says whether this client wants its own events back. */
  constructor(echo: () => boolean) {
    this.#echo = echo;
  }

  /** Resolves with the receipt. Rejects with the bus's refusal, with SPOOL_FULL, or with what `fail` was given. */
  add(event: SpooledEvent): Promise<Receipt> {
    const { spoolEvents, spoolBytes } = CLIENT_LIMITS;
    const full = this.#entries.size >= spoolEvents || this.#bytes + event.size > spoolBytes;
    if (full) return Promise.reject(fullError(event.topic));
    return new Promise((resolve, reject) => {
      const entry: Entry = { event, resolve, reject };
      this.#entries.add(entry);
      this.#bytes += event.size;
      this.#unsent.push(entry);
      this.#pump();
    });
  }

  /** Puts events before all others, to be sent on the next connection. Nobody waits for them. */
  prepend(events: readonly SpooledEvent[]): void {
    const ignore = (): void => undefined;
    const entries = events.map((event): Entry => ({ event, resolve: ignore, reject: ignore }));
    this.#entries = new Set([...entries, ...this.#entries]);
    for (const { size } of events) this.#bytes += size;
  }

  attach(link: Link, peerId: string): void {
    this.#attached = { link, peerId, stalled: false };
    this.#unsent = [...this.#entries];
    this.#pump();
  }

  detach(): void {
    this.#attached = undefined;
  }

  /** Resolves when nothing waits, however it ended. */
  settled(): Promise<void> {
    if (this.#entries.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  /** Rejects everything that waits. */
  fail(error: ClawError): void {
    this.#unsent = [];
    for (const entry of this.#entries) {
      this.#remove(entry);
      entry.reject(error);
    }
  }

  #pump(): void {
    const current = this.#attached;
    if (current === undefined || current.stalled) return;
    for (let entry = this.#unsent.shift(); entry !== undefined; entry = this.#unsent.shift()) {
      if (!this.#send(current, entry)) return this.#wait(current);
    }
    return undefined;
  }

  #send({ link, peerId }: Attached, entry: Entry): boolean {
    return link.call(entry.event.command(peerId, this.#echo()), (reply) => {
      if (reply !== undefined && this.#remove(entry)) settle(entry, reply);
    });
  }

  #wait(current: Attached): void {
    current.stalled = true;
    void current.link.drained().then(() => {
      current.stalled = false;
      if (this.#attached === current) this.#pump();
      return undefined;
    });
  }

  #remove(entry: Entry): boolean {
    if (!this.#entries.delete(entry)) return false;
    this.#bytes -= entry.event.size;
    if (this.#entries.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return true;
  }
}
