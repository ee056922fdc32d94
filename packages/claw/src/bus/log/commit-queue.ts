import type { CommitListener, NewEvent } from "./event-log.ts";
import { lineHead } from "./log-line.ts";

export interface Waiting {
  readonly head: string;
  readonly listener: CommitListener;
}

/**
 * Stores a batch of lines with the promised durability. Throws or rejects when no line of the batch was stored. Returns a
 * promise only when the disk has to be waited for.
 */
export type Commit = (batch: readonly Waiting[]) => { readonly first: number } | Promise<{ readonly first: number }>;

export interface CommitQueue {
  add(event: NewEvent, listener: CommitListener): void;
  /** Begins to store what waits. Without it, that happens at the end of the current turn. */
  flush(): void;
  /** Resolves when every event added until now is committed or failed. */
  drain(): Promise<void>;
}

function tellListeners(batch: readonly Waiting[], first: number): void {
  let sequence = first;
  for (const { listener } of batch) {
    listener.committed(sequence);
    sequence += 1;
  }
}

function fail(batch: readonly Waiting[], error: unknown): void {
  const reason = error instanceof Error ? error : new Error(String(error));
  for (const { listener } of batch) listener.failed(reason);
}

type Outcome = { readonly first: number } | { readonly error: unknown };

function attempt(commit: Commit, batch: readonly Waiting[]): Outcome | Promise<Outcome> {
  try {
    const outcome = commit(batch);
    return "first" in outcome ? outcome : outcome.catch((error: unknown) => ({ error }));
  } catch (error) {
    return { error };
  }
}

/**
 * Groups what arrives while the disk is busy, or within one turn of the loop, into one commit (bench bus, "window 100,
 * strict"). Batches are committed one after the other, so the order of adding is the order of the log.
 */
export function createCommitQueue(commit: Commit): CommitQueue {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let isBusy = false;
  let running = Promise.resolve();

  // Outside of the attempt: an error of a listener cannot undo the commit.
  const tell = (batch: readonly Waiting[], outcome: Outcome): void => {
    if ("first" in outcome) tellListeners(batch, outcome.first);
    else fail(batch, outcome.error);
  };
  const finishLater = async (batch: readonly Waiting[], outcome: Promise<Outcome>): Promise<void> => {
    tell(batch, await outcome);
    isBusy = false;
    flush();
  };
  function flush(): void {
    while (!isBusy && waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      isBusy = true;
      const outcome = attempt(commit, batch);
      if (outcome instanceof Promise) {
        running = finishLater(batch, outcome);
        return;
      }
      tell(batch, outcome);
      isBusy = false;
    }
  }
  return {
    add: (event, listener) => {
      waiting.push({ head: lineHead(event), listener });
      if (isBusy || isScheduled) return;
      isScheduled = true;
      // The rest of the current turn joins the batch.
      queueMicrotask(() => {
        isScheduled = false;
        flush();
      });
    },
    flush,
    drain: async () => {
      flush();
      for (let last; last !== running;) {
        last = running;
        await last;
      }
    },
  };
}
