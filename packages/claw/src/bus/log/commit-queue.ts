import type { CommitListener, Feed, NewEvent } from "./event-log.ts";
import { NO_FEED, storedEvent } from "./feed.ts";
import { lineHead } from "./log-line.ts";

export interface Waiting {
  readonly event: NewEvent;
  /** The line of the event up to its sequence. */
  readonly head: string;
  readonly listener: CommitListener;
}

/**
 * Stores a batch of lines with the promised durability. Throws or rejects when no line of the batch was stored. Returns a
 * promise only when the disk has to be waited for.
 */
export type Commit = (batch: readonly Waiting[]) => { readonly first: number } | Promise<{ readonly first: number }>;

export interface CommitQueue {
  follow(feed: Feed): void;
  add(event: NewEvent, listener: CommitListener): void;
  /** Begins to store what waits. Without it, that happens at the end of the current turn. */
  flush(): void;
  /** Resolves when every event added until now is committed or failed. */
  drain(): Promise<void>;
}

function tellListeners(batch: readonly Waiting[], first: number, feed: Feed): void {
  let sequence = first;
  for (const { event, listener } of batch) {
    listener.committed(sequence, feed(storedEvent(event, sequence), listener.own));
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

/** Called outside of the attempt: an error of a listener cannot undo the commit. */
function tell(batch: readonly Waiting[], outcome: Outcome, feed: Feed): void {
  if ("first" in outcome) tellListeners(batch, outcome.first, feed);
  else fail(batch, outcome.error);
}

class BatchQueue implements CommitQueue {
  readonly #commit: Commit;
  #feed = NO_FEED;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isBusy = false;
  #running = Promise.resolve();

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  follow(feed: Feed): void {
    this.#feed = feed;
  }

  add(event: NewEvent, listener: CommitListener): void {
    this.#waiting.push({ event, head: lineHead(event), listener });
    if (this.#isBusy || this.#isScheduled) return;
    this.#isScheduled = true;
    // The rest of the current turn joins the batch.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    while (!this.#isBusy && this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#isBusy = true;
      const outcome = attempt(this.#commit, batch);
      if (outcome instanceof Promise) this.#running = this.#finishLater(batch, outcome);
      else this.#finish(batch, outcome);
    }
  }

  async drain(): Promise<void> {
    this.flush();
    for (let last; last !== this.#running;) {
      last = this.#running;
      await last;
    }
  }

  #finish(batch: readonly Waiting[], outcome: Outcome): void {
    try {
      tell(batch, outcome, this.#feed);
    } finally {
      this.#isBusy = false;
    }
  }

  async #finishLater(batch: readonly Waiting[], outcome: Promise<Outcome>): Promise<void> {
    this.#finish(batch, await outcome);
    this.flush();
  }
}

/**
 * Groups what arrives while the disk is busy, or within one turn of the loop, into one commit (bench bus, "window 100,
 * strict"). Batches are committed one after the other, so the order of adding is the order of the log.
 */
export const createCommitQueue = (commit: Commit): CommitQueue => new BatchQueue(commit);
