import { ClawError } from "claw-contract";
import type { CommitListener, EventLog, Feed, LeaseMark, LogBatch, NewEvent, StoredEvent } from "./event-log.ts";
import { IGNORED, nameLease } from "../leases/fence.ts";
import { NO_FEED, storedEvent } from "./feed.ts";

const BATCH_EVENTS = 256;

/** Events in memory that several logs share, as several daemons share a stream. */
export interface MemoryStream {
  /**
   * Another log on the same events, of a machine with that name. What one log stores, the feeds of all others bring too.
   * `number` gives the number of the lease by which the machine holds its name; without it, no event carries one.
   */
  open(machine?: string, number?: () => number): EventLog;
}

interface Stored {
  readonly events: StoredEvent[];
  /** Takes a new event to each log; `writer` is the log that appended it. */
  readonly takers: ((event: StoredEvent, writer: object) => void)[];
  /** Events that may be sent again, by sender and id. */
  readonly sent: Map<string, { readonly sequence: number; readonly body: string }>;
}

interface Waiting {
  readonly event: NewEvent;
  readonly lease: LeaseMark | undefined;
  readonly listener: CommitListener;
}

/** Tells the listener of an event that is stored already. False when the event is new. */
function tellAgain({ sent }: Stored, { event, listener }: Waiting): boolean {
  const known = event.sent === undefined ? undefined : sent.get(`${event.from} ${event.sent.id}`);
  if (known === undefined) return false;
  if (known.body === event.sent?.body) listener.committed(known.sequence, 0, true);
  else {
    const about = { operation: "append", target: event.topic };
    listener.failed(new ClawError("PUBLISH_CONFLICT", "duplicate id with another body", about));
  }
  return true;
}

/** The log of a machine. */
interface Writer {
  readonly machine: string | undefined;
  readonly number: (() => number) | undefined;
}

/** The lease that an event carries. It is asked for when the event is appended. */
function leaseOf({ lease }: NewEvent, { machine, number }: Writer): LeaseMark | undefined {
  // Only `own` stands for the name of a machine.
  if (lease !== "own") return machine === undefined || lease?.key.startsWith("machine.") === true ? undefined : lease;
  return machine === undefined || number === undefined ? undefined : nameLease(machine, number());
}

/** The event with its sequence. The log remembers an event whose sender may repeat the publish. */
function newlyStored({ events, sent }: Stored, { event, lease }: Waiting, machine: string | undefined): StoredEvent {
  const stored = { ...storedEvent(event, events.length + 1), ...(lease === undefined ? {} : { lease }) };
  if (machine === undefined) return stored;
  if (event.sent !== undefined) {
    sent.set(`${event.from} ${event.sent.id}`, { sequence: stored.sequence, body: event.sent.body });
  }
  return { ...stored, machine };
}

const superseded = (target: string): ClawError =>
  new ClawError("MACHINE_NAME_TAKEN", "a later holder of the lease has written", { operation: "append", target });

/** Tells the listener that the feed has taken the event. */
function tellStored(
  { sent }: Stored,
  { event, listener }: Waiting,
  { sequence, deliveredTo }: { sequence: number; deliveredTo: number },
): void {
  if (deliveredTo !== IGNORED) return listener.committed(sequence, deliveredTo);
  // Another daemon may use the id for an event that counts.
  sent.delete(`${event.from} ${event.sent?.id}`);
  return listener.failed(superseded(event.topic));
}

const lastBefore = (events: readonly StoredEvent[], time: Date): number =>
  events.findLast((event) => event.tsServer < time.toISOString())?.sequence ?? 0;

function openLog(stream: Stored, by: Writer): EventLog {
  const { machine } = by;
  const { events, takers } = stream;
  const waiting: Waiting[] = [];
  const writer = {};
  let feed: Feed = NO_FEED;
  let closed = false;
  takers.push((event, other) => {
    if (other !== writer) feed(event, undefined);
  });
  const commit = (): void => {
    for (const each of waiting.splice(0)) {
      if (machine !== undefined && tellAgain(stream, each)) continue;
      const stored = newlyStored(stream, each, machine);
      events.push(stored);
      tellStored(stream, each, { sequence: stored.sequence, deliveredTo: feed(stored, each.listener.own) });
      for (const take of takers) take(stored, writer);
    }
  };

  return {
    ...(machine === undefined ? {} : { machine }),
    epoch: "0001",
    head: () => events.length,
    oldest: () => 1,
    follow: (follower) => void (feed = follower),
    append: (event, listener) => {
      if (closed) return queueMicrotask(() => listener.failed(new Error("the log is closed")));
      if (waiting.push({ event, listener, lease: leaseOf(event, by) }) === 1) queueMicrotask(commit);
      return undefined;
    },
    flush: commit,
    read: (after): Promise<LogBatch> => {
      const batch = events.slice(after, after + BATCH_EVENTS);
      return Promise.resolve({ events: batch, through: batch.at(-1)?.sequence ?? after });
    },
    sequenceAt: (time) => Promise.resolve(lastBefore(events, time)),
    close: () => {
      commit();
      closed = true;
      feed = NO_FEED;
      return Promise.resolve();
    },
  };
}

/** The in-memory twin of a log that several daemons write, for tests. */
export function createMemoryStream(): MemoryStream {
  const stored: Stored = { events: [], takers: [], sent: new Map() };
  return { open: (machine, number) => openLog(stored, { machine, number }) };
}

/** A log that lives as long as its process: the in-memory twin of the log on disk, for tests. */
export const createMemoryLog = (): EventLog => createMemoryStream().open();
