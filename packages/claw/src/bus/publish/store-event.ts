import { ClawError } from "claw-contract";
import type { StoredReceipt } from "./dedupe.ts";
import type { CommitListener, EventLog, LeaseMark, OwnEvent, SentEvent } from "../log/index.ts";
import { reportAfterStoring } from "./event-feed.ts";
import type { Server } from "../server.ts";

/** The wire's word for an event that could not be stored. */
export const WRITE_FAILED = "event-log:write-failed";

/** Fields that a refusal adds when the log is the reason: the code from the error catalogue, and when to try again. */
export function storageCode(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof ClawError)) return {};
  const { retryAfterMs } = error.options;
  return { code: error.code, ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }) };
}

/** The way of an event into the log. What follows from the event hangs on the log's feed. */
export interface Store extends Pick<Server, "timestamp" | "report"> {
  readonly log: EventLog;
}

export interface StoreRequest {
  /** What the publisher sent, when it may send the event again. */
  readonly sent?: SentEvent | undefined;
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
  readonly isLogEntry?: boolean;
  /** The time in the payload's stamp, where there is one: a clock is read once (bench bus, "server time for an event"). */
  readonly tsServer?: string;
  /** Set for an event of the server: the lease under which this daemon publishes it. */
  readonly lease?: LeaseMark | "own";
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

  committed(sequence: number, deliveredTo: number, duplicate = false): void {
    this.#settle(duplicate ? { sequence, deliveredTo, duplicate } : { sequence, deliveredTo });
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
  const { topic, from, payload, sent, lease, tsServer = context.timestamp() } = request;
  const event = { topic, from, payload, tsServer, sent, lease };
  context.log.append(event, new Storing(context, request, done));
}

/** Publishes an event of the server. The loss of an event that cannot be stored is reported in the daemon's own log. */
export function publishSystem(context: Store, topic: string, payload: Readonly<Record<string, unknown>>): void {
  const event = { topic, from: "server", payload: JSON.stringify(payload), echo: false, lease: "own" } as const;
  store(context, event, (outcome) => {
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
  /**
   * Names what the event is about. In a cluster, of several events with one id, whichever daemon publishes them, the first
   * is stored and the others are left out.
   */
  readonly id?: string;
  /**
   * The lease under which this daemon publishes the event; that of its machine's name when absent. When a later holder has
   * written meanwhile, the event counts nowhere.
   */
  readonly lease?: LeaseMark;
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
  for (const { topic, payload, from = "server", echo = false, id, lease = "own" } of events) {
    const sent = id === undefined ? undefined : { id, body: "" };
    store(context, { topic, from, payload: JSON.stringify(payload), echo, sent, lease }, (outcome) => {
      if (outcome instanceof Error) failure ??= outcome;
      else receipts.push(outcome);
      left -= 1;
      if (left === 0) done(failure ?? receipts);
    });
  }
  return undefined;
}
