import type { BusExtension, BusHost, CommittedEvent } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { TicketBook, TicketRecord } from "./ticket-book.ts";
import { createTicketBook, ticketExpiresAt } from "./ticket-book.ts";
import { ticketRequests } from "./ticket-requests.ts";
import type { TicketSight } from "./ticket-view.ts";
import { outcomesNow } from "./ticket-view.ts";
import { isWaitOver } from "./worker-outcomes.ts";

/** Wait after a failed write to the log. */
const CLOSING_RETRY_MS = 1000;

/** Events after which a worker may have come where it is waited for. */
const REACTS_TO = ["system.worker.*", "system.ticket.opened", "worker.*.complete"];

/** Closes tickets whose wait is over, each once. */
class Closer {
  readonly #sight: TicketSight;
  readonly #book: TicketBook;
  /** Tickets whose closing is on its way into the log. */
  readonly #closing = new Set<string>();
  #retryAt = Infinity;

  constructor(sight: TicketSight, book: TicketBook) {
    this.#sight = sight;
    this.#book = book;
  }

  lookAtAll(): void {
    for (const record of this.#own()) this.#look(record);
  }

  /** Looks at the ticket that an event opened, or at the tickets that wait for the worker of the event. */
  lookAfter({ topic, payload }: CommittedEvent): void {
    const [family, named] = topic.split(".");
    const { ticket, peerId } = fieldsOf(payload);
    const worker = family === "worker" ? named : peerId;
    for (const record of this.#own()) {
      if (record.ticket === ticket || record.workers.some((each) => each.peerId === worker)) this.#look(record);
    }
  }

  /** Returns the time of the next attempt after a failed write. */
  retry(): number {
    if (this.#retryAt > this.#sight.host.now()) return this.#retryAt;
    this.#retryAt = Infinity;
    this.lookAtAll();
    return this.#retryAt;
  }

  /** A ticket is closed by the machine that opened the ticket. */
  #own(): readonly TicketRecord[] {
    return this.#book.open().filter(({ machine }) => machine === this.#sight.host.machine);
  }

  #look(record: TicketRecord): void {
    const { ticket, goal } = record;
    const { host } = this.#sight;
    if (this.#closing.has(ticket) || ticketExpiresAt(record) <= host.now()) return;
    const outcomes = outcomesNow(this.#sight, record);
    if (!isWaitOver(outcomes, goal)) return;
    this.#closing.add(ticket);
    host.publish(
      [{ topic: "system.ticket.closed", payload: { ticket, outcomes, ts: host.timestamp() } }],
      (failure) => {
        this.#closing.delete(ticket);
        if (failure === undefined) return;
        this.#retryAt = host.now() + CLOSING_RETRY_MS;
        host.report(`a ticket was not closed: ${failure.message}`);
      },
    );
  }
}

/** Lets callers wait for workers by handles that outlive the daemon. */
export function createTickets(host: BusHost, facts: Omit<TicketSight, "host">): BusExtension {
  const book = createTicketBook();
  const sight: TicketSight = { ...facts, host };
  const closer = new Closer(sight, book);
  return {
    name: "tickets",
    memory: book.memory,
    requests: ticketRequests({ ...sight, book }),
    reactsTo: REACTS_TO,
    logEntries: "ignored",
    reactsFor: "cluster",
    react: (event) => closer.lookAfter(event),
    start: () => closer.lookAtAll(),
    checkDue: () => closer.retry(),
  };
}
