import { ClawError } from "claw-contract";
import type { StoredReceipt } from "./dedupe.ts";
import type { StoredEvent } from "../log/index.ts";
import type { Outlet } from "../delivery/deliver.ts";
import { deliver } from "../delivery/deliver.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";

/** The wire's word for an event that could not be stored. */
export const WRITE_FAILED = "event-log:write-failed";

/** Fields that a refusal adds when the disk is the reason: the code from the error catalogue. */
export const storageCode = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof ClawError ? { code: error.code } : {};

/** The way of an event into the log, into the state, and to its subscribers. */
export interface Store extends Outlet, Pick<Server, "timestamp">, Pick<Knowledge, "projections"> {}

export interface StoreRequest {
  readonly topic: string;
  readonly from: string;
  readonly payload: string | undefined;
  readonly echo: boolean;
  readonly isLogEntry?: boolean;
}

/** An error in the consequences of one event must not stop the next event. */
function reportFailure(context: Pick<Store, "report">, topic: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : typeof error;
  context.report(`${topic} was stored, then failed: ${text}`);
}

function applyEvent(context: Store, event: StoredEvent, isLogEntry: boolean): void {
  try {
    if (isLogEntry) context.projections.applyLogEntry(event);
    else context.projections.apply(event, true);
  } catch (error) {
    reportFailure(context, event.topic, error);
  }
}

type Settled = (outcome: StoredReceipt | Error) => void;

function answer(context: Store, topic: string, done: Settled, outcome: StoredReceipt | Error): void {
  try {
    done(outcome);
  } catch (error) {
    reportFailure(context, topic, error);
  }
}

/** Appends an event to the log. After its commit, updates the projections, delivers the event and calls `done`. */
export function store(context: Store, request: StoreRequest, done: Settled): void {
  const { topic, from, payload, echo, isLogEntry = false } = request;
  const tsServer = context.timestamp();
  context.log.append(
    { topic, from, payload, tsServer },
    {
      committed: (sequence) => {
        const event = { topic, from, payload, tsServer, sequence };
        applyEvent(context, event, isLogEntry);
        answer(context, topic, done, { sequence, deliveredTo: deliver(context, event, echo) });
      },
      failed: (error) => answer(context, topic, done, error),
    },
  );
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
