import { OLDEST, epochOf } from "claw-contract/client";
import type { Client } from "../client.ts";
import { createDeferred } from "../deferred.ts";
import { mergeSubscriptions } from "../subscriptions/merge-subscriptions.ts";
import type { WorkerSummaries, WorkerSummary } from "./worker-summary.ts";
import { foldWorkers } from "./worker-summary.ts";

/** All workers of a bus, kept current. */
export interface WorkersView {
  list(): readonly WorkerSummary[];
  get(peerId: string): WorkerSummary | undefined;
  /** Resolves when everything that happened before has been taken in. Rejects when the client ended before. */
  ready(): Promise<void>;
  /** Resolves at the next change, and when the view has ended. */
  changed(): Promise<void>;
  /** Idempotent. */
  close(): void;
}

const PATTERNS = ["worker.*.*", "system.peer.*", "system.worker.state"];

export function createWorkersView(client: Client, from = OLDEST): WorkersView {
  const sources = PATTERNS.map((pattern) => client.subscribe(pattern, { from, own: true }));
  const ready = createDeferred<void>();
  let workers: WorkerSummaries = new Map();
  let change = createDeferred<void>();
  let open = true;

  const tell = (): void => {
    const told = change;
    change = createDeferred();
    told.resolve();
  };
  const epochs = new Set<string>();
  const follow = async (): Promise<void> => {
    let behind = sources.length;
    for await (const item of mergeSubscriptions(sources)) {
      if (item.kind === "caught-up" && (behind -= 1) === 0) ready.resolve();
      if (item.kind !== "event") continue;
      const epoch = epochOf(item.cursor);
      // Another log has other workers, under the same ids. What is late of the one before is of no account.
      if (!epochs.has(epoch)) workers = new Map();
      epochs.add(epoch);
      const after = [...epochs].at(-1) === epoch ? foldWorkers(workers, item) : workers;
      if (after === workers) continue;
      workers = after;
      tell();
    }
  };
  const finish = (error: Error): void => {
    open = false;
    ready.reject(error);
    tell();
  };
  follow().then(() => finish(new Error("the view was closed")), finish);
  return {
    list: () => [...workers.values()],
    get: (peerId) => workers.get(peerId),
    ready: () => ready.promise,
    changed: () => (open ? change.promise : Promise.resolve()),
    close: () => {
      for (const source of sources) source.close();
    },
  };
}
