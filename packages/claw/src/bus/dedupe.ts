import { LIMITS } from "@claw/contract";

/** What became of a publish with an id. */
export interface Receipt {
  readonly sequence: number;
  readonly deliveredTo: number;
}

export type Waiter = (receipt: Receipt | Error) => void;

/** A publish that is being stored, or was. */
interface Entry {
  readonly kind: "new";
  readonly identity: string;
  readonly id: string;
  /** More than one where it is no longer known in which form the body was sent. */
  readonly hashes: number | readonly number[];
  /** Undefined while it is being stored. */
  receipt: Receipt | undefined;
  waiters: Waiter[] | undefined;
  /** The same id, used by somebody else. */
  other: Entry | undefined;
}

/** A publish that was stored, as much of it as its repetition is recognised by. */
export interface RememberedEvent {
  readonly identity: string;
  readonly id: string;
  readonly hashes: readonly number[];
  readonly sequence: number;
}

/** An id that was new: whoever began has to settle or forget it. */
export type OpenEntry = Pick<Entry, "kind" | "identity" | "id">;

export type Seen =
  | OpenEntry
  | { readonly kind: "conflict" }
  | { readonly kind: "done"; readonly receipt: Receipt }
  | { readonly kind: "in-flight"; readonly wait: (waiter: Waiter) => void };

/** Recognises events that are sent again. */
export interface Dedupe {
  /** Looks an id up and, when it is new, marks it as being stored. */
  begin(identity: string, id: string, body: string): Seen;
  settle(entry: OpenEntry, receipt: Receipt): void;
  /** Nothing was stored; the id may be used again. */
  forget(entry: OpenEntry, error: Error): void;
  /** Takes in an event of the log, after a restart, with every form its body may have been sent in. */
  recall(identity: string, id: string, event: { bodies: readonly string[]; sequence: number }): void;
  /** What is remembered now of events up to a sequence, oldest first. Can be read on while more is remembered. */
  remembered(through: number): Iterable<RememberedEvent>;
  /** Takes in what `remembered` gave. */
  remember(event: RememberedEvent): void;
}

/** FNV-1a over UTF-16 units: enough to tell a repeated body from a different one of the same length. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

const CONFLICT: Seen = { kind: "conflict" };

function again(entry: Entry, hash: number): Seen {
  const { hashes, receipt } = entry;
  if (typeof hashes === "number" ? hashes !== hash : !hashes.includes(hash)) return CONFLICT;
  if (receipt !== undefined) return { kind: "done", receipt };
  return { kind: "in-flight", wait: (waiter) => void (entry.waiters ??= []).push(waiter) };
}

function ofIdentity(first: Entry | undefined, identity: string): Entry | undefined {
  let entry = first;
  while (entry !== undefined && entry.identity !== identity) entry = entry.other;
  return entry;
}

function unlink(generation: Map<string, Entry>, gone: Entry): void {
  let entry = generation.get(gone.id);
  if (entry === gone) {
    if (gone.other === undefined) generation.delete(gone.id);
    else generation.set(gone.id, gone.other);
    return;
  }
  while (entry !== undefined && entry.other !== gone) entry = entry.other;
  if (entry !== undefined) entry.other = gone.other;
}

const entryOf = ({ identity, id, hashes, sequence }: RememberedEvent, other: Entry | undefined): Entry => ({
  kind: "new",
  identity,
  id,
  hashes,
  receipt: { sequence, deliveredTo: 0 },
  waiters: undefined,
  other,
});

function* storedEntries(firsts: Iterable<Entry>, through: number): Generator<RememberedEvent> {
  for (const first of firsts) {
    for (let entry: Entry | undefined = first; entry !== undefined; entry = entry.other) {
      const { identity, id, hashes, receipt } = entry;
      if (receipt === undefined || receipt.sequence > through) continue;
      yield { identity, id, hashes: typeof hashes === "number" ? [hashes] : hashes, sequence: receipt.sequence };
    }
  }
}

/**
 * Remembers the newest ids: at least as many as a named limit says, which is no smaller than what a client keeps to
 * send again, and at most twice as many. Two generations make forgetting cost nothing.
 */
export function createDedupe(): Dedupe {
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  // Not the size of the map: the same id of many identities is one entry there.
  let count = 0;
  const add = (entry: Entry): void => {
    if (count >= LIMITS.dedupeEntries) {
      old = young;
      young = new Map();
      count = 0;
    }
    count += 1;
    young.set(entry.id, entry);
  };
  const remember = (event: RememberedEvent): void => add(entryOf(event, young.get(event.id)));
  return {
    begin: (identity, id, body) => {
      const hash = hashOf(body);
      const other = young.get(id);
      const known = ofIdentity(other, identity) ?? ofIdentity(old.get(id), identity);
      if (known !== undefined) return again(known, hash);
      const entry: Entry = { kind: "new", identity, id, hashes: hash, receipt: undefined, waiters: undefined, other };
      add(entry);
      return entry;
    },
    settle: (open, receipt) => {
      const entry = open as Entry;
      entry.receipt = receipt;
      if (entry.waiters === undefined) return;
      for (const waiter of entry.waiters) waiter(receipt);
      entry.waiters = undefined;
    },
    forget: (open, error) => {
      const entry = open as Entry;
      unlink(young, entry);
      unlink(old, entry);
      for (const waiter of entry.waiters ?? []) waiter(error);
    },
    recall: (identity, id, { bodies, sequence }) => remember({ identity, id, hashes: bodies.map(hashOf), sequence }),
    remembered: (through) => storedEntries([...old.values(), ...young.values()], through),
    remember,
  };
}
