import type { CommitListener, NewEvent } from "./event-log.ts";
import { lineHead } from "./log-line.ts";

export interface Waiting {
  readonly head: string;
  readonly listener: CommitListener;
}

/** Stores a batch of lines with the promised durability. Throws or rejects when no line of the batch was stored. */
export type Commit = (batch: readonly Waiting[]) => { readonly first: number } | Promise<{ readonly first: number }>;

export interface CommitQueue {
  add(event: NewEvent, listener: CommitListener): void;
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

/**
 * Groups what arrives while the disk is busy, or within one turn of the loop, into one commit (bench bus, "window 100,
 * strict"). Batches are committed one after the other, so the order of adding is the order of the log.
 */
export function createCommitQueue(commit: Commit): CommitQueue {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function attempt(batch: readonly Waiting[]): Promise<{ first: number } | { error: unknown }> {
    try {
      return await commit(batch);
    } catch (error) {
      return { error };
    }
  }

  async function run(): Promise<void> {
    // Let the rest of the current turn join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const outcome = await attempt(batch);
      // Outside of the attempt: an error of a listener cannot undo the commit.
      if ("first" in outcome) tellListeners(batch, outcome.first);
      else fail(batch, outcome.error);
    }
    running = undefined;
  }

  return {
    add: (event, listener) => {
      waiting.push({ head: lineHead(event), listener });
      running ??= run();
    },
    drain: async () => {
      for (let current = running; current !== undefined; current = running) await current;
    },
  };
}
