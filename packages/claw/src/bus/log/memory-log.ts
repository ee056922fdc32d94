import type { CommitListener, EventLog, LogBatch, NewEvent, StoredEvent } from "./event-log.ts";

const BATCH_EVENTS = 256;

/** A log that lives as long as its process: the in-memory twin of the log on disk, for tests. */
export function createMemoryLog(): EventLog {
  const events: StoredEvent[] = [];
  const waiting: { event: NewEvent; listener: CommitListener }[] = [];
  let closed = false;

  const commit = (): void => {
    for (const { event, listener } of waiting.splice(0)) {
      events.push({ ...event, sequence: events.length + 1 });
      listener.committed(events.length);
    }
  };

  return {
    epoch: "0001",
    head: () => events.length,
    oldest: () => 1,
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
      return Promise.resolve();
    },
  };
}
