import type { DurableRecord, DurableStore } from "./durable-store.ts";

/** Records that live as long as the map they are in. */
export function createMemoryDurableStore(records: Map<string, DurableRecord> = new Map()): DurableStore {
  return {
    get: (name) => records.get(name),
    count: () => records.size,
    all: () => [...records.values()],
    save: (record) => {
      records.set(record.name, record);
      return Promise.resolve();
    },
  };
}
