import { LIMITS } from "@claw/contract";

/** What became of a publish with an id. */
export interface Receipt {
  readonly sequence: number;
  readonly deliveredTo: number;
}

export type Waiter = (receipt: Receipt | Error) => void;

type Entry =
  | { readonly kind: "in-flight"; readonly hash: number; readonly waiters: Waiter[] }
  /** More than one hash where it is no longer known in which form the body was sent. */
  | { readonly kind: "done"; readonly hashes: readonly number[]; readonly receipt: Receipt };

export type Seen =
  | { readonly kind: "new" }
  | { readonly kind: "conflict" }
  | { readonly kind: "done"; readonly receipt: Receipt }
  | { readonly kind: "in-flight"; readonly wait: (waiter: Waiter) => void };

/** Recognises events that are sent again. */
export interface Dedupe {
  /** Looks an id up and, when it is new, marks it as being stored. */
  begin(identity: string, id: string, body: string): Seen;
  settle(identity: string, id: string, receipt: Receipt): void;
  /** Nothing was stored; the id may be used again. */
  forget(identity: string, id: string, error: Error): void;
  /** Takes in an event of the log, after a restart, with every form its body may have been sent in. */
  recall(identity: string, id: string, event: { bodies: readonly string[]; sequence: number }): void;
}

/** FNV-1a over UTF-16 units: enough to tell a repeated body from a different one of the same length. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** Remembers the newest ids; how many is a named limit, no smaller than what a client keeps to send again. */
export function createDedupe(): Dedupe {
  const entries = new Map<string, Entry>();
  const keyOf = (identity: string, id: string): string => `${identity} ${id}`;
  const remember = (key: string, entry: Entry): void => {
    entries.set(key, entry);
    if (entries.size <= LIMITS.dedupeEntries) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    begin: (identity, id, body) => {
      const key = keyOf(identity, id);
      const entry = entries.get(key);
      const hash = hashOf(body);
      if (entry === undefined) {
        remember(key, { kind: "in-flight", hash, waiters: [] });
        return { kind: "new" };
      }
      if (entry.kind === "done") {
        return entry.hashes.includes(hash) ? { kind: "done", receipt: entry.receipt } : { kind: "conflict" };
      }
      if (entry.hash !== hash) return { kind: "conflict" };
      return { kind: "in-flight", wait: (waiter) => void entry.waiters.push(waiter) };
    },
    settle: (identity, id, receipt) => {
      const key = keyOf(identity, id);
      const entry = entries.get(key);
      if (entry?.kind !== "in-flight") return;
      entries.set(key, { kind: "done", hashes: [entry.hash], receipt });
      for (const waiter of entry.waiters) waiter(receipt);
    },
    forget: (identity, id, error) => {
      const key = keyOf(identity, id);
      const entry = entries.get(key);
      entries.delete(key);
      if (entry?.kind === "in-flight") for (const waiter of entry.waiters) waiter(error);
    },
    recall: (identity, id, { bodies, sequence }) =>
      remember(keyOf(identity, id), {
        kind: "done",
        hashes: bodies.map(hashOf),
        receipt: { sequence, deliveredTo: 0 },
      }),
  };
}
