import { ClawError, CLIENT_LIMITS } from "claw-contract/client";
import type { Link } from "../connection/link.ts";
import type { Timer } from "../platform.ts";
import { againAfterMs, incompleteError, refusalError } from "../connection/wire-error.ts";
import type { WireReply } from "../connection/wire-frame.ts";

/** The bus's confirmation that an event is stored. */
export interface Receipt {
  readonly sequence: number;
  readonly cursor: string;
  /** Whether the event was already stored under the same id. */
  readonly duplicate: boolean;
  /** Number of live subscriptions that the event matched. */
  readonly deliveredTo: number;
}

export interface SpooledEvent {
  readonly id: string;
  readonly topic: string;
  /** Size of the waiting event, in UTF-16 units. */
  readonly size: number;
  /** The publish request as JSON members; the same text for the same arguments. */
  command(peerId: string, echo: boolean): string;
}

interface Entry {
  readonly event: SpooledEvent;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: ClawError) => void;
}

/** Undefined when the reply does not tell the event's place in the log. */
function receiptOf({ sequence, cursor, duplicate, deliveredTo }: WireReply): Receipt | undefined {
  if (typeof sequence !== "number" || typeof cursor !== "string") return undefined;
  return { sequence, cursor, duplicate: duplicate === true, deliveredTo: Number(deliveredTo) || 0 };
}

function settleEntry({ event, resolve, reject }: Entry, reply: WireReply): void {
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
  /** Events that are sent and not yet acknowledged. */
  flying: number;
  /** How long to wait before all events are sent again, once none is on its way. */
  againMs: number | undefined;
}

export interface SpoolOptions {
  /** Whether the client receives the events that it published. */
  readonly echo: () => boolean;
  readonly timer: Pick<Timer, "after">;
  /** Whether events wait while the bus cannot store them for now. If not, they are refused. */
  readonly isPatient: boolean;
}

/**
 * Events without a receipt, oldest first. Each event is sent as soon as there is a connection, and again on every new
 * connection until the bus has answered, and again when the bus cannot store it for now. The spool holds a bounded number of events and bytes; further events are
 * refused with SPOOL_FULL.
 */
export class PublishSpool {
  readonly #options: SpoolOptions;
  #entries = new Set<Entry>();
  readonly #idle: (() => void)[] = [];
  #unsent: Entry[] = [];
  #bytes = 0;
  #attached: Attached | undefined;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Resolves with the receipt. Rejects with the bus's refusal, with SPOOL_FULL, or with the error given to `fail`. */
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

  /** Puts events before all others, to be sent on the next connection. No caller waits for their receipts. */
  prepend(events: readonly SpooledEvent[]): void {
    const ignore = (): void => undefined;
    const entries = events.map((event): Entry => ({ event, resolve: ignore, reject: ignore }));
    this.#entries = new Set([...entries, ...this.#entries]);
    for (const { size } of events) this.#bytes += size;
  }

  attach(link: Link, peerId: string): void {
    this.#begin({ link, peerId, stalled: false, flying: 0, againMs: undefined });
  }

  detach(): void {
    this.#attached = undefined;
  }

  /** Resolves when no event waits for a receipt any more, whether the events succeeded or failed. */
  settled(): Promise<void> {
    if (this.#entries.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  /** Rejects every waiting event with this error. */
  fail(error: ClawError): void {
    this.#unsent = [];
    for (const entry of this.#entries) {
      this.#remove(entry);
      entry.reject(error);
    }
  }

  #begin(attached: Attached): void {
    this.#attached = attached;
    this.#unsent = [...this.#entries];
    this.#pump();
  }

  #pump(): void {
    const current = this.#attached;
    if (current === undefined || current.stalled || current.againMs !== undefined) return;
    for (let entry = this.#unsent.shift(); entry !== undefined; entry = this.#unsent.shift()) {
      if (!this.#send(current, entry)) return this.#wait(current);
    }
    return undefined;
  }

  #send(current: Attached, entry: Entry): boolean {
    current.flying += 1;
    return current.link.call(entry.event.command(current.peerId, this.#options.echo()), (reply) => {
      if (reply === undefined) return;
      current.flying -= 1;
      const againMs = this.#options.isPatient ? againAfterMs(reply) : undefined;
      if (againMs !== undefined) current.againMs = againMs;
      else if (this.#remove(entry)) settleEntry(entry, reply);
      if (current.flying === 0 && current.againMs !== undefined) this.#sendAgain(current, current.againMs);
    });
  }

  /** Begins again with the oldest event, when the bus has answered to all that were on their way: so their order stays. */
  #sendAgain(current: Attached, ms: number): void {
    this.#options.timer.after(ms, () => {
      if (this.#attached === current) this.#begin({ ...current, againMs: undefined });
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
