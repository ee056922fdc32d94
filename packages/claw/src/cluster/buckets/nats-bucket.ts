import type { JetStreamClient, JetStreamManager, StreamConfig } from "@nats-io/jetstream";
import { DiscardPolicy, JetStreamApiError, jetstream, jetstreamManager, StorageType } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { headers, nanos } from "@nats-io/transport-node";
import { ClawError } from "claw-contract";
import type { Bucket, BucketEntry } from "./bucket.ts";
import { natsError } from "../connection/nats-errors.ts";
import { watchBucket } from "./watch-bucket.ts";

const ANSWER_MS = 5000;

const NO_MESSAGE = 10_037;
const NO_STREAM = 10_059;
const OTHER_REVISION: ReadonlySet<number> = new Set([10_071, 10_164]);

const OPERATION = "KV-Operation";

export interface NatsBucketOptions {
  /** Letters, digits, `-` and `_`. */
  readonly name: string;
  /** After this time without a write the server removes a key. Endless when absent. */
  readonly ttlMs?: number;
  readonly replicas?: number;
  /** Longest wait for one answer. */
  readonly answerMs?: number;
}

const codeOf = (error: unknown): number | undefined => (error instanceof JetStreamApiError ? error.code : undefined);

/** A bucket is a stream that the tools of NATS know as a key-value bucket, except that no client can empty it. */
function configOf({ name, ttlMs, replicas = 1 }: NatsBucketOptions) {
  return {
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    storage: StorageType.File,
    num_replicas: replicas,
    max_msgs_per_subject: 1,
    max_age: ttlMs === undefined ? 0 : nanos(ttlMs),
    discard: DiscardPolicy.New,
    // Readers ask the leader, because a replica may not know the newest value.
    allow_direct: false,
    // A header of a message could otherwise remove all keys, also those that its writer may not write.
    allow_rollup_hdrs: false,
    deny_delete: true,
    deny_purge: true,
  } satisfies Partial<StreamConfig>;
}

/** What of a bucket's configuration leases and numbers rest on. */
const PROMISES = ["storage", "max_msgs_per_subject", "max_age", "allow_direct", "allow_rollup_hdrs"] as const;

function requirePromises(wanted: ReturnType<typeof configOf>, found: StreamConfig): void {
  const broken = PROMISES.filter((field) => (found[field] ?? false) !== wanted[field]);
  if (broken.length === 0) return;
  const list = broken.map((field) => `${field} is ${String(found[field])}, not ${String(wanted[field])}`);
  throw new ClawError(
    "NATS_STREAM_UNFIT",
    `the NATS stream ${wanted.name} has another configuration: ${list.join("; ")}`,
    {
      operation: "open_bucket",
      target: wanted.name,
    },
  );
}

async function requireStream(manager: JetStreamManager, options: NatsBucketOptions): Promise<void> {
  const wanted = configOf(options);
  try {
    requirePromises(wanted, (await manager.streams.info(wanted.name)).config);
  } catch (error) {
    if (codeOf(error) !== NO_STREAM) throw error;
    await manager.streams.add(wanted);
  }
}

interface Parts {
  readonly name: string;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

const subjectOf = (name: string, key: string): string => `$KV.${name}.${key}`;

type Newest = BucketEntry & { readonly removed: boolean };

/** The newest message of a key, also one that says that the key was removed. */
async function newestOf({ name, manager }: Parts, key: string): Promise<Newest | undefined> {
  try {
    const message = await manager.streams.getMessage(`KV_${name}`, { last_by_subj: subjectOf(name, key) });
    if (message === null) return undefined;
    const removed = message.header.has(OPERATION);
    return { key, value: message.string(), revision: message.seq, removed };
  } catch (error) {
    if (codeOf(error) === NO_MESSAGE) return undefined;
    throw error;
  }
}

/** Publishes when the newest message of the key is `after`. Undefined when it is another one. */
async function publish({ name, client }: Parts, key: string, value: string | undefined, after: number) {
  const removal = headers();
  removal.set(OPERATION, "DEL");
  try {
    const { seq } = await client.publish(subjectOf(name, key), value ?? "", {
      expect: { lastSubjectSequence: after },
      ...(value === undefined ? { headers: removal } : {}),
    });
    return seq;
  } catch (error) {
    if (OTHER_REVISION.has(codeOf(error) ?? 0)) return undefined;
    throw error;
  }
}

async function write(parts: Parts, key: string, value: string, after: number): Promise<number | undefined> {
  const revision = await publish(parts, key, value, after);
  if (revision !== undefined || after !== 0) return revision;
  // The message that says that a key was removed is the newest one of a key that is not there.
  const newest = await newestOf(parts, key);
  return newest?.removed === true ? publish(parts, key, value, newest.revision) : undefined;
}

/** Opens a bucket, and makes it if it is not there. Rejects with `NATS_STREAM_UNFIT` when it has another configuration. */
export async function openNatsBucket(connection: NatsConnection, options: NatsBucketOptions): Promise<Bucket> {
  const { name } = options;
  const answer = async <T>(operation: string, target: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw natsError(operation, target, error);
    }
  };
  const parts = await answer("open_bucket", name, async () => {
    const timeout = options.answerMs ?? ANSWER_MS;
    const manager = await jetstreamManager(connection, { timeout, checkAPI: false });
    await requireStream(manager, options);
    return { name, manager, client: jetstream(connection, { timeout }) };
  });
  return {
    read: async (key) => {
      const newest = await answer("read_key", key, () => newestOf(parts, key));
      if (newest === undefined || newest.removed) return undefined;
      return { key, value: newest.value, revision: newest.revision };
    },
    write: (key, value, after) => answer("write_key", key, () => write(parts, key, value, after)),
    remove: async (key, after) =>
      (await answer("remove_key", key, () => publish(parts, key, undefined, after))) !== undefined,
    watch: (pattern, changed) =>
      answer("watch_keys", pattern, () => watchBucket(connection, parts.client, { name, pattern, changed })),
  };
}
