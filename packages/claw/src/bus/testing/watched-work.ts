import { onTestFinished } from "vitest";
import type { DurableStore } from "../delivery/durable/durable-store.ts";
import type { EventLog } from "../log/index.ts";
import type { SnapshotStore } from "../snapshot/snapshot-store.ts";

/** Counts the work that a bus has begun at its ports: commits, reads of the log, records and snapshots being stored. */
export interface WatchedWork {
  log(log: EventLog): EventLog;
  durables(store: DurableStore): DurableStore;
  snapshotStore(store: SnapshotStore): SnapshotStore;
  /** Resolves when no such work runs and none follows from what ran. Clients that do not read are not waited for. */
  whenIdle(): Promise<void>;
}

/** The work of every bus of the test that runs: a client does not know which bus it is connected to. */
const watched = new Set<Pick<WatchedWork, "whenIdle">>();

/** Resolves when every bus of this test is idle. */
export async function settle(): Promise<void> {
  await Promise.all([...watched].map((work) => work.whenIdle()));
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createWatchedWork(): WatchedWork {
  const count = { begun: 0, running: 0 };
  const waiting = new Set<() => void>();
  const begin = (): (() => void) => {
    count.begun += 1;
    count.running += 1;
    return () => {
      count.running -= 1;
      for (const wake of waiting) wake();
      waiting.clear();
    };
  };
  const watch =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      work(...args).finally(begin());
  const work: WatchedWork = {
    log: (log) => ({
      ...log,
      read: watch((after) => log.read(after)),
      sequenceAt: watch((time) => log.sequenceAt(time)),
      append: (event, listener) => {
        const end = begin();
        const told = (tell: () => void): void => {
          try {
            tell();
          } finally {
            end();
          }
        };
        log.append(event, {
          ...(listener.own === undefined ? {} : { own: listener.own }),
          committed: (...receipt) => told(() => listener.committed(...receipt)),
          failed: (error) => told(() => listener.failed(error)),
        });
      },
    }),
    durables: (store) => ({ ...store, save: watch((record) => store.save(record)) }),
    snapshotStore: (store) => ({ ...store, save: watch((snapshot) => store.save(snapshot)) }),
    whenIdle: async () => {
      for (;;) {
        while (count.running > 0) await new Promise<void>((resolve) => waiting.add(resolve));
        const before = count.begun;
        // The bus lets one turn of the loop pass between two reads, and before a snapshot. That turn may begin after ours.
        await turn();
        await turn();
        if (count.running === 0 && count.begun === before) return;
      }
    },
  };
  watched.add(work);
  onTestFinished(() => void watched.delete(work));
  return work;
}
