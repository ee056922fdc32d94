import { randomUUID } from "node:crypto";
import { ClawError, parseJson } from "claw-contract";
import type { DurableRecord, DurableStore } from "../../bus/index.ts";
import { createWrittenStore } from "../../bus/index.ts";
import type { Bucket, BucketEntry } from "../buckets/bucket.ts";

/** What a key holds: the record, and which process serves its readers. */
interface Place {
  readonly record: DurableRecord;
  readonly server: string;
  readonly revision: number;
}

/** Attempts of a write while other machines write. */
const TRIES = 100;
const BELOW = "durable.";

/** Dots divide keys, and two of them, or one at the end, are refused; names of durable subscriptions may have them. */
const keyOf = (name: string): string => `${BELOW}${name.replaceAll(".", "=")}`;

function readPlace({ value, revision }: Pick<BucketEntry, "value" | "revision">): Place | undefined {
  const { record, server } = (parseJson(value) ?? {}) as { record?: Partial<DurableRecord>; server?: unknown };
  const { name, topic, epoch, acked } = record ?? {};
  const isWhole = [name, topic, epoch].every((field) => typeof field === "string") && Number.isSafeInteger(acked);
  return isWhole
    ? { record: { name, topic, epoch, acked } as DurableRecord, server: String(server), revision }
    : undefined;
}

/** Whether a record is at least as far in the same log as another one. */
const covers = (record: DurableRecord, other: DurableRecord): boolean =>
  record.epoch === other.epoch && record.acked >= other.acked;

const takenOver = (name: string): ClawError =>
  new ClawError("DURABLE_TAKEN_OVER", `another machine serves the reader of ${name} now`, {
    operation: "save_durable",
    target: name,
  });

/** The places of one process. */
class Places {
  readonly stored = new Map<string, DurableRecord>();
  readonly #bucket: Bucket;
  /** Names this process, and differs after a restart. */
  readonly #self = randomUUID();
  readonly #places = new Map<string, Place>();
  readonly #taken: ((name: string) => void)[] = [];

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  onTaken(taken: (name: string) => void): void {
    this.#taken.push(taken);
  }

  /** Takes in a key, unless a newer revision of it is known. */
  learn(entry: Pick<BucketEntry, "value" | "revision">): void {
    const place = readPlace(entry);
    if (place === undefined) return;
    const { name } = place.record;
    const before = this.#places.get(name);
    if (before !== undefined && before.revision >= place.revision) return;
    this.#places.set(name, place);
    this.stored.set(name, place.record);
    if (before?.server !== this.#self || place.server === this.#self) return;
    for (const taken of this.#taken) taken(name);
  }

  async write(record: DurableRecord): Promise<void> {
    const { name } = record;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const known = this.#places.get(name);
      const isForeign = known !== undefined && known.server !== this.#self;
      if (isForeign) throw takenOver(name);
      // The name was served elsewhere meanwhile, and came back.
      if (known !== undefined && covers(known.record, record)) return;
      if (await this.#put(record, known?.revision ?? 0)) return;
      await this.#read(name);
    }
    throw takenOver(name);
  }

  async attach(name: string): Promise<DurableRecord | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await this.#read(name);
      const place = this.#places.get(name);
      if (place === undefined) return undefined;
      if (place.server === this.#self || (await this.#put(place.record, place.revision))) return place.record;
    }
    throw takenOver(name);
  }

  async #put(record: DurableRecord, after: number): Promise<boolean> {
    const value = JSON.stringify({ record, server: this.#self });
    const revision = await this.#bucket.write(keyOf(record.name), value, after);
    if (revision !== undefined) this.learn({ value, revision });
    return revision !== undefined;
  }

  async #read(name: string): Promise<void> {
    const entry = await this.#bucket.read(keyOf(name));
    if (entry !== undefined) this.learn(entry);
  }
}

export interface ClusterDurables extends Required<DurableStore> {
  close(): void;
}

/**
 * Durable subscriptions that keep their place in the cluster, whatever machine serves them. Resolves when the records of
 * the cluster are known; rejects as the bucket does.
 */
export async function openClusterDurables(bucket: Bucket): Promise<ClusterDurables> {
  const places = new Places(bucket);
  const store = createWrittenStore(places.stored, (record) => places.write(record));
  const watch = await bucket.watch(`${BELOW}>`, ({ value, revision }) => {
    if (value !== undefined) places.learn({ value, revision });
  });
  return {
    ...store,
    get: (name) => {
      const [saving, stored] = [store.get(name), places.stored.get(name)];
      return saving !== undefined && stored !== undefined && covers(stored, saving) ? stored : saving;
    },
    attach: (name) => places.attach(name),
    onTaken: (taken) => places.onTaken(taken),
    close: () => watch.close(),
  };
}
