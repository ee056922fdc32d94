import { isDeepStrictEqual } from "node:util";
import type { DurableRecord, DurableStore } from "./durable-store.ts";

/**
 * Writes one record at a time. Of the records saved during a write, only the newest is written; all their promises
 * settle with that write.
 */
function createWriter(write: (record: DurableRecord) => Promise<void>): (record: DurableRecord) => Promise<void> {
  let running: Promise<void> | undefined;
  let next: { record: DurableRecord; done: Promise<void> } | undefined;
  const start = (record: DurableRecord): Promise<void> => {
    const done = write(record).finally(() => {
      if (running === done) running = undefined;
    });
    running = done;
    return done;
  };
  return (record) => {
    if (running === undefined) return start(record);
    if (next !== undefined) {
      next.record = record;
      return next.done;
    }
    const begin = (): Promise<void> => {
      const latest = next?.record ?? record;
      next = undefined;
      return start(latest);
    };
    next = { record, done: running.then(begin, begin) };
    return next.done;
  };
}

/**
 * A store over records that `write` keeps. `write` puts a record into `stored` when the record would survive a crash; others
 * may change `stored` too.
 */
export function createWrittenStore(
  stored: ReadonlyMap<string, DurableRecord>,
  write: (record: DurableRecord) => Promise<void>,
): DurableStore {
  const saving = new Map<string, DurableRecord>();
  const writers = new Map<string, ReturnType<typeof createWriter>>();
  const writerOf = (name: string): ReturnType<typeof createWriter> => {
    const writer = writers.get(name) ?? createWriter(write);
    writers.set(name, writer);
    return writer;
  };
  return {
    get: (name) => saving.get(name) ?? stored.get(name),
    count: () => stored.size + [...saving.keys()].filter((name) => !stored.has(name)).length,
    all: () => [...stored.values()],
    save: async (record) => {
      const { name } = record;
      if (!saving.has(name) && isDeepStrictEqual(stored.get(name), record)) return;
      saving.set(name, record);
      try {
        await writerOf(name)(record);
      } finally {
        if (saving.get(name) === record) saving.delete(name);
      }
    },
  };
}
