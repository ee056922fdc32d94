import { ClawError } from "claw-contract";
import type { StoredReceipt } from "./dedupe.ts";
import type { CommitListener, EventLog, OwnEvent } from "../log/index.ts";
import { reportAfterStoring } from "./event-feed.ts";
import type { Server } from "../server.ts";

/** The wire's word for an event that could not be stored. */
export const WRITE_FAILED = "event-log:write-failed";

/** Fields that a refusal adds when the disk is the reason: the code from the error catalogue. */
export const storageCode = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof ClawError ? { code: error.code } : {};

/** The way of an event into the log. What follows from the event hangs on the log's feed. */
export interface Store extends Pick<Server, "timestamp" | "report"> {
  readonly log: EventLog;
}

export interface StoreRequest {
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
  readonly isLogEntry?: boolean;
}

type Settled = (outcome: StoredReceipt | Error) => void;

/** One object for each publish, without closures (bench bus, "server time for an event"). */
class Storing implements CommitListener, OwnEvent {
  readonly echo: boolean;
  readonly isLogEntry: boolean;
  readonly #context: Store;
  readonly #topic: string;
  readonly #done: Settled;

  constructor(context: Store, { topic, echo, isLogEntry = false }: StoreRequest, done: Settled) {
    this.echo = echo;
    this.isLogEntry = isLogEntry;
    this.#context = context;
    this.#topic = topic;
    this.#done = done;
  }

  get own(): OwnEvent {
    return this;
  }

  committed(sequence: number, deliveredTo: number): void {
    this.#settle({ sequence, deliveredTo });
  }

  failed(error: Error): void {
    this.#settle(error);
  }

  #settle(outcome: StoredReceipt | Error): void {
    try {
      this.#done(outcome);
    } catch (error) {
      reportAfterStoring(this.#context, this.#topic, error);
    }
  }
}

/** Appends an event to the log. Calls `done` when the feed has taken the event, or the event was not stored. */
export function store(context: Store, request: StoreRequest, done: Settled): void {
  const { topic, from, payload } = request;
  context.log.append({ topic, from, payload, tsServer: context.timestamp() }, new Storing(context, request, done));
}

/** Publishes an event of the server. The loss of an event that cannot be stored is reported in the daemon's own log. */
export function publishSystem(context: Store, topic: string, payload: Readonly<Record<string, unknown>>): void {
  store(context, { topic, from: "server", payload: JSON.stringify(payload), echo: false }, (outcome) => {
    if (outcome instanceof Error) context.report(`${topic} was not stored: ${outcome.message}`);
  });
}

export interface ServerEvent {
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Peer that publishes through the server; `server` when absent. */
  readonly from?: string;
  /** Whether the publishing peer's subscriptions get the event too. */
  readonly echo?: boolean;
}

/**
 * Stores events next to each other in the log. Calls `done` once all events are settled: with their receipts, or with
 * the first error. An empty list calls `done` at once.
 */
export function appendEvents(
  context: Store,
  events: readonly ServerEvent[],
  done: (outcome: readonly StoredReceipt[] | Error) => void,
): void {
  const receipts: StoredReceipt[] = [];
  let failure: Error | undefined;
  let left = events.length;
  if (left === 0) return done([]);
  for (const { topic, payload, from = "server", echo = false } of events) {
    store(context, { topic, from, payload: JSON.stringify(payload), echo }, (outcome) => {
      if (outcome instanceof Error) failure ??= outcome;
      else receipts.push(outcome);
      left -= 1;
      if (left === 0) done(failure ?? receipts);
    });
  }
  return undefined;
}
