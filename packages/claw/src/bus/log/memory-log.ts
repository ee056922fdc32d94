import type { CommitListener, EventLog, Feed, LogBatch, NewEvent, StoredEvent } from "./event-log.ts";
import { NO_FEED, storedEvent } from "./feed.ts";

const BATCH_EVENTS = 256;

/** Events in memory that several logs share, as several daemons share a stream. */
export interface MemoryStream {
  /** Another log on the same events. What one log stores, the feeds of all others bring too. */
  open(): EventLog;
}

interface Stored {
  readonly events: StoredEvent[];
  /** Takes a new event to each log; `writer` is the log that appended it. */
  readonly takers: ((event: StoredEvent, writer: object) => void)[];
}

function openLog({ events, takers }: Stored): EventLog {
  const waiting: { event: NewEvent; listener: CommitListener }[] = [];
  const writer = {};
  let feed: Feed = NO_FEED;
  let closed = false;

  takers.push((event, by) => {
    if (by !== writer) feed(event, undefined);
  });
  const commit = (): void => {
    for (const { event, listener } of waiting.splice(0)) {
      const stored = storedEvent(event, events.length + 1);
      events.push(stored);
      listener.committed(stored.sequence, feed(stored, listener.own));
      for (const take of takers) take(stored, writer);
    }
  };

  return {
    epoch: "0001",
    head: () => events.length,
    oldest: () => 1,
    follow: (follower) => {
      feed = follower;
    },
    append: (event, listener) => {
      if (closed) return queueMicrotask(() => listener.failed(new Error("the log is closed")));
      if (waiting.push({ event, listener }) === 1) queueMicrotask(commit);
      return undefined;
    },
    flush: commit,
    read: (after): Promise<LogBatch> => {
      const batch = events.slice(after, after + BATCH_EVENTS);
      return Promise.resolve({ events: batch, through: batch.at(-1)?.sequence ?? after });
    },
    sequenceAt: (time) =>
      Promise.resolve(events.findLast((event) => event.tsServer < time.toISOString())?.sequence ?? 0),
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
  const stored: Stored = { events: [], takers: [] };
  return { open: () => openLog(stored) };
}

/** A log that lives as long as its process: the in-memory twin of the log on disk, for tests. */
export const createMemoryLog = (): EventLog => createMemoryStream().open();
