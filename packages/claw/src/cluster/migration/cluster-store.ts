import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { ClawError, LIMITS } from "claw-contract";
import type { StoredEvent } from "../../bus/index.ts";
import type { Bucket } from "../buckets/bucket.ts";
import { natsError } from "../connection/nats-errors.ts";
import type { ClusterConnection } from "../connection/open-connection.ts";
import { ensureStream } from "../stream-log/stream-config.ts";
import { createClusterEpoch } from "../stream-log/stream-epoch.ts";
import { messageIdOf, toMessage } from "../stream-log/stream-message.ts";
import type { StreamBounds } from "../stream-log/stream-reader.ts";
import { createStreamReader } from "../stream-log/stream-reader.ts";
import type { Subjects } from "../stream-log/subjects.ts";
import { createSubjects, streamName } from "../stream-log/subjects.ts";
import type { KeptRecord, MigrationRecord } from "./migration-record.ts";
import { keepMigration, readMigration } from "./migration-record.ts";
import { readRange } from "./read-range.ts";
import type { WriteOptions } from "./write-events.ts";
import { writeEvents } from "./write-events.ts";

const NO_STREAM = 10_059;
/** Servers can begin a stream at any sequence since this minor version of 2. */
const FIRST_SINCE = 10;
/** The first and last line of a message's headers, and what parts a name from its value. */
const HEADERS_BYTES = 12;
const HEADER_BYTES = 4;
/** A header that names the sequence before the message, at its longest. */
const EXPECTED_BYTES = 48;

/** A stream, at the time it was looked at. */
export interface SeenLog {
  readonly created: string;
  /** The oldest sequence; one more than `head` without events. */
  readonly first: number;
  readonly head: number;
  readonly events: number;
  readonly maxBytes: number;
}

export interface NewLog {
  /** Sequence of the first event. */
  readonly first: number;
  /** Bytes that the events need. */
  readonly bytes: number;
  readonly replicas: number | undefined;
}

/** The stream of a cluster, for a process that copies a log. No daemon of the cluster may run. */
export interface ClusterStore {
  readonly stream: string;
  /** The largest message that the servers take. */
  readonly maxMessageBytes: number;
  /** Bytes of the message of an event, with its headers. */
  sizeOf(this: void, event: StoredEvent): number;
  /** Undefined when there is no stream. Rejects with the errors of NATS, as all methods do. */
  look(): Promise<SeenLog | undefined>;
  /** Finds or makes the stream. Rejects with NATS_STREAM_UNFIT when it cannot hold the log under its sequences. */
  make(log: NewLog): Promise<SeenLog>;
  read(range: { after: number; through: number }, take: (event: StoredEvent) => void): Promise<void>;
  write(copy: Pick<WriteOptions, "copy" | "events" | "through" | "stored">): Promise<void>;
  /** Id of the message with a sequence; empty for a sequence without one. */
  markOf(sequence: number): Promise<string>;
  record(log: SeenLog): Promise<KeptRecord | undefined>;
  keep(record: MigrationRecord): Promise<void>;
  /** The epoch of the cluster; 0 before the first machine has agreed on an epoch. */
  epoch(): Promise<number>;
  settleEpoch(epoch: number, log: SeenLog): Promise<void>;
}

export interface StoreOptions {
  readonly cluster: string;
  readonly machine: string;
  readonly facts: Bucket;
  readonly signal: AbortSignal;
}

const seen = ({ created, state, config }: StreamInfo): SeenLog => ({
  created,
  first: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
  head: state.last_seq,
  events: state.messages,
  maxBytes: config.max_bytes,
});

function sizeIn(subjects: Subjects, machine: string, event: StoredEvent): number {
  const { headers, body } = toMessage(event, subjects.of(machine, event.topic), {
    ownId: "copy-0000-000000000000",
    number: 0,
  });
  const head = headers.keys().reduce((sum, key) => sum + key.length + headers.get(key).length + HEADER_BYTES, 0);
  return HEADERS_BYTES + EXPECTED_BYTES + head + Buffer.byteLength(body);
}

const unfit = (stream: string, field: string, message: string, hint: string): ClawError =>
  new ClawError("NATS_STREAM_UNFIT", `${stream}: ${message}`, {
    operation: "migrate",
    target: stream,
    details: { field },
    hint,
  });

/** Refuses a stream that would give the events other sequences, or drop the oldest of them. */
function requireRoom(stream: string, log: SeenLog, { first, bytes }: NewLog): void {
  if (log.events === 0 && log.head !== first - 1) {
    const needed = `the stream begins at ${log.head + 1}, and the log at ${first}`;
    throw unfit(stream, "first_seq", needed, "Delete the stream, then call again.");
  }
  if (log.maxBytes < 0 || log.maxBytes >= bytes) return;
  const needed = `it keeps ${log.maxBytes} bytes, and the log needs ${bytes}`;
  throw unfit(stream, "max_bytes", needed, "Raise max_bytes of the stream, then call again.");
}

/** Refuses a new stream that older servers would begin at 1: retention has removed the log's first events. */
function requireFirst(stream: string, { first }: NewLog, version: string): void {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  if (first === 1 || major > 2 || minor >= FIRST_SINCE) return;
  const needed = `the log begins at ${first}, and nats-server ${version} begins every stream at 1`;
  throw unfit(stream, "first_seq", needed, `Update nats-server to 2.${FIRST_SINCE} or newer, then call again.`);
}

/** What is in a stream; undefined when there is none. */
async function lookAt(manager: JetStreamManager, stream: string): Promise<SeenLog | undefined> {
  try {
    return seen(await manager.streams.info(stream));
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NO_STREAM) return undefined;
    throw natsError("open_stream", stream, error);
  }
}

/** What is in the stream of a cluster; undefined when there is none. Changes nothing. */
export async function lookAtStream(connection: ClusterConnection, cluster: string): Promise<SeenLog | undefined> {
  const stream = streamName(cluster);
  try {
    return await lookAt(await jetstreamManager(connection.nats), stream);
  } catch (error) {
    throw natsError("open_stream", stream, error);
  }
}

class NatsStore implements ClusterStore {
  readonly stream: string;
  readonly maxMessageBytes: number;
  readonly sizeOf: ClusterStore["sizeOf"];
  readonly #options: StoreOptions;
  readonly #connection: ClusterConnection;
  readonly #manager: JetStreamManager;
  readonly #subjects: Subjects;

  constructor(options: StoreOptions, connection: ClusterConnection, manager: JetStreamManager) {
    this.#options = options;
    this.#connection = connection;
    this.#manager = manager;
    this.#subjects = createSubjects(options.cluster);
    this.stream = streamName(options.cluster);
    this.maxMessageBytes = connection.nats.info?.max_payload ?? Infinity;
    this.sizeOf = (event) => sizeIn(this.#subjects, options.machine, event);
  }

  look(): Promise<SeenLog | undefined> {
    return this.#asked("open_stream", () => lookAt(this.#manager, this.stream));
  }

  make(log: NewLog): Promise<SeenLog> {
    const { first, bytes, replicas } = log;
    return this.#asked("open_stream", async () => {
      const limits = {
        bytes: Math.max(LIMITS.logBytes, bytes),
        first,
        ...(replicas === undefined ? {} : { replicas }),
      };
      const isNew = (await lookAt(this.#manager, this.stream)) === undefined;
      if (isNew) requireFirst(this.stream, log, this.#connection.nats.info?.version ?? "");
      const found = seen(await ensureStream(this.#manager, this.#options.cluster, limits));
      requireRoom(this.stream, found, log);
      return found;
    });
  }

  read({ after, through }: { after: number; through: number }, take: (event: StoredEvent) => void): Promise<void> {
    return this.#asked("read_log", () => readRange({ ...this.#parts(), after, through, take }));
  }

  write(copy: Pick<WriteOptions, "copy" | "events" | "through" | "stored">): Promise<void> {
    return this.#asked("copy_log", () => writeEvents({ ...this.#parts(), ...copy, machine: this.#options.machine }));
  }

  markOf(sequence: number): Promise<string> {
    const { nats } = this.#connection;
    const [stream, subjects, manager] = [this.stream, this.#subjects, this.#manager];
    const findBounds = (): Promise<StreamBounds> => Promise.resolve({ oldest: sequence, newest: sequence });
    const reader = createStreamReader({ nats, manager, stream, subjects, head: () => sequence, findBounds });
    return this.#asked("read_log", async () => {
      const message = await reader.find(sequence);
      return message === undefined ? "" : messageIdOf(message);
    });
  }

  record(log: SeenLog): Promise<KeptRecord | undefined> {
    return readMigration(this.#options.facts, log);
  }

  keep(record: MigrationRecord): Promise<void> {
    return keepMigration(this.#options.facts, record);
  }

  epoch(): Promise<number> {
    return createClusterEpoch(this.#options.facts).current();
  }

  settleEpoch(epoch: number, { created }: SeenLog): Promise<void> {
    return createClusterEpoch(this.#options.facts).settle(epoch, created);
  }

  #parts() {
    const { nats } = this.#connection;
    const { signal } = this.#options;
    return { nats, manager: this.#manager, stream: this.stream, subjects: this.#subjects, signal };
  }

  async #asked<T>(operation: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      throw natsError(operation, this.stream, error);
    }
  }
}

/** Opens the stream of a cluster for copying, on a connection that the caller closes. */
export async function openClusterStore(connection: ClusterConnection, options: StoreOptions): Promise<ClusterStore> {
  try {
    return new NatsStore(options, connection, await jetstreamManager(connection.nats));
  } catch (error) {
    throw natsError("open_log", streamName(options.cluster), error);
  }
}
