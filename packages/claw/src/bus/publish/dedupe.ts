import { LIMITS } from "claw-contract";
import type { RecentIds } from "./recent-ids.ts";
import { createRecentIds } from "./recent-ids.ts";
import { hashKey, hashOf } from "./text-hash.ts";

/** Where a published event stands in the log, and how many subscriptions got it. */
export interface StoredReceipt {
  readonly sequence: number;
  readonly deliveredTo: number;
  /** Set when another daemon had stored the event already. */
  readonly duplicate?: boolean;
}

export type Waiter = (receipt: StoredReceipt | Error) => void;

/** Where an id stands. */
interface IdSlot {
  readonly ids: RecentIds;
  readonly slot: number;
}

/** An id that was new. The caller of `begin` must settle or forget the entry. */
export interface OpenEntry extends IdSlot {
  readonly kind: "new";
}

export type Seen =
  | OpenEntry
  | { readonly kind: "conflict" }
  | { readonly kind: "done"; readonly receipt: StoredReceipt }
  | { readonly kind: "in-flight"; readonly wait: (waiter: Waiter) => void };

/** Recognises events that are sent again. */
export interface Dedupe {
  /** Looks an id up and, when it is new, marks it as being stored. */
  begin(identity: string, id: string, body: string): Seen;
  settle(entry: OpenEntry, receipt: StoredReceipt): void;
  /** Nothing was stored; the id may be used again. */
  forget(entry: OpenEntry, error: Error): void;
  /** Takes in an event of the log, after a restart, with every form its body may have been sent in. */
  recall(identity: string, id: string, event: { bodies: readonly [string, string]; sequence: number }): void;
  /**
   * The remembered ids of events up to a sequence, at most as many as the limit, the newest; packed, in pieces, oldest
   * first. Reading stays valid while new ids are added.
   */
  remembered(through: number): Iterable<Uint8Array>;
  /** Adds the ids of a piece that `remembered` gave. */
  remember(piece: Uint8Array): void;
}

const CONFLICT: Seen = { kind: "conflict" };

/** Callers that sent an event again while the event was being stored. */
function createWaiters() {
  const byIds = new Map<RecentIds, Map<number, Waiter[]>>();
  return {
    add: ({ ids, slot }: IdSlot, waiter: Waiter): void => {
      const bySlot = byIds.get(ids) ?? new Map<number, Waiter[]>();
      byIds.set(ids, bySlot);
      bySlot.set(slot, [...(bySlot.get(slot) ?? []), waiter]);
    },
    tell: ({ ids, slot }: IdSlot, outcome: StoredReceipt | Error): void => {
      if (byIds.size === 0) return;
      const bySlot = byIds.get(ids);
      const waiting = bySlot?.get(slot) ?? [];
      bySlot?.delete(slot);
      if (bySlot?.size === 0) byIds.delete(ids);
      for (const waiter of waiting) waiter(outcome);
    },
  };
}

type Waiters = ReturnType<typeof createWaiters>;

/** Answers a publish whose id is known: conflict, done, or in flight. */
function again(waiters: Waiters, { ids, slot }: IdSlot, hash: number): Seen {
  if (!ids.hasBody(slot, hash)) return CONFLICT;
  const sequence = ids.sequence(slot);
  if (sequence > 0) return { kind: "done", receipt: { sequence, deliveredTo: ids.deliveredTo(slot) } };
  return { kind: "in-flight", wait: (waiter) => waiters.add({ ids, slot }, waiter) };
}

/** Twice as many would take twice the memory and time of a start (bench growth, "memory after a start"). */
function* newestIn(generations: readonly RecentIds[], through: number): Generator<Uint8Array> {
  let tooMany = generations.reduce((sum, ids) => sum + ids.size(), 0) - LIMITS.dedupeEntries;
  for (const ids of generations) {
    const size = ids.size();
    yield* ids.pack(through, Math.max(0, tooMany));
    tooMany -= size;
  }
}

/**
 * Remembers the newest ids: at least as many as a named limit says, which is no smaller than what a client keeps to
 * send again, and at most twice as many. Two generations make forgetting cost nothing.
 */
export function createDedupe(): Dedupe {
  let young = createRecentIds(LIMITS.dedupeEntries);
  let old: RecentIds | undefined;
  const waiters = createWaiters();
  const generations = (): RecentIds[] => (old === undefined ? [young] : [old, young]);
  const withRoom = (): RecentIds => {
    if (!young.full()) return young;
    old = young;
    young = createRecentIds(LIMITS.dedupeEntries);
    return young;
  };
  return {
    begin: (identity, id, body) => {
      const key = hashKey(identity, id);
      const hash = hashOf(body);
      const youngSlot = young.find(key);
      if (youngSlot !== -1) return again(waiters, { ids: young, slot: youngSlot }, hash);
      const oldSlot = old?.find(key) ?? -1;
      if (old !== undefined && oldSlot !== -1) return again(waiters, { ids: old, slot: oldSlot }, hash);
      const ids = withRoom();
      return { kind: "new", ids, slot: ids.add(key, [hash, hash]) };
    },
    settle: (entry, receipt) => {
      entry.ids.settle(entry.slot, receipt.sequence, receipt.deliveredTo);
      waiters.tell(entry, receipt);
    },
    forget: (entry, error) => {
      entry.ids.remove(entry.slot);
      waiters.tell(entry, error);
    },
    recall: (identity, id, { bodies: [body, otherBody], sequence }) => {
      const ids = withRoom();
      ids.settle(ids.add(hashKey(identity, id), [hashOf(body), hashOf(otherBody)]), sequence, 0);
    },
    remembered: (through) => newestIn(generations(), through),
    remember: (piece) => {
      for (let from = 0, taken = -1; from < piece.length && taken !== 0; from += taken) {
        taken = withRoom().unpack(piece.subarray(from));
      }
    },
  };
}
