import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import { jetstreamManager } from "@nats-io/jetstream";
import { bucketNames } from "../buckets/bucket-names.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import { natsError } from "../connection/nats-errors.ts";
import { isUsable, readMigration, requireUsable } from "../migration/migration-record.ts";
import type { ClusterConnection } from "../connection/open-connection.ts";
import type { StreamLimits } from "./stream-config.ts";
import { ensureStream } from "./stream-config.ts";
import type { StreamMemory } from "./stream-epoch.ts";
import { findStream } from "./find-stream.ts";
import { createClusterEpoch, isSameStream } from "./stream-epoch.ts";
import type { LogOptions, StreamLog } from "./stream-log.ts";
import { followStream } from "./stream-log.ts";
import { messageIdOf } from "./stream-message.ts";
import type { StreamBounds } from "./stream-reader.ts";
import { createStreamReader } from "./stream-reader.ts";
import { createSubjects, streamName } from "./subjects.ts";

export interface StreamLogOptions extends Pick<LogOptions, "number" | "ignored"> {
  readonly cluster: string;
  readonly machine: string;
  /** Limits of the stream, when it has to be made. */
  readonly limits?: StreamLimits;
  /** Remembers the stream across restarts. Without it, a stream that was replaced meanwhile is not noticed. */
  readonly memory?: StreamMemory;
  /** How often the log looks whether its feed stands still. */
  readonly lookMs?: number;
  /** Writes a line to the daemon's own log. */
  readonly report: (text: string) => void;
}

const NO_MEMORY: StreamMemory = { load: () => undefined, save: () => undefined };

interface Found {
  readonly connection: ClusterConnection;
  readonly manager: JetStreamManager;
  readonly info: StreamInfo;
}

/** Agrees on the epoch with the other machines, and finds the newest message. */
async function takeUp({ connection, manager, info }: Found, options: StreamLogOptions): Promise<LogOptions> {
  const { cluster, machine, report, memory = NO_MEMORY, number, ignored } = options;
  const { nats } = connection;
  const { created, state, config } = info;
  const stream = streamName(cluster);
  const subjects = createSubjects(cluster);
  const bounds = { oldest: state.first_seq, newest: state.last_seq };
  const findBounds = (): Promise<StreamBounds> => Promise.resolve(bounds);
  const reader = createStreamReader({ nats, manager, stream, subjects, head: () => state.last_seq, findBounds });
  const facts = await openNatsBucket(nats, { name: bucketNames(cluster).facts, replicas: config.num_replicas });
  requireUsable(await readMigration(facts, info), stream);
  const epochs = createClusterEpoch(facts);
  const seen = memory.load();
  const epoch = await epochs.agree(info, seen, seen === undefined || (await isSameStream(info, seen, reader)));
  const newest = state.messages === 0 ? undefined : await reader.find(state.last_seq);
  const mark = newest === undefined ? "" : messageIdOf(newest);
  const replicas = config.num_replicas;
  const isLeft = async (): Promise<boolean> => !isUsable(await readMigration(facts, info));
  const place = { connection, manager, stream, subjects, epochs, epoch, isLeft, created, replicas, machine, report };
  const looks = options.lookMs === undefined ? {} : { lookMs: options.lookMs };
  return {
    place,
    memory,
    number,
    ignored,
    ...looks,
    start: { head: state.last_seq, mark, oldest: Math.max(1, state.first_seq) },
  };
}

/**
 * Opens the log of a cluster on a connection that the caller closes. Makes the stream when there is none. Resolves when
 * the log knows all that is stored. Rejects with NATS_UNREACHABLE, NATS_REFUSED, NATS_STREAM_UNFIT,
 * MIGRATION_UNFINISHED, LOG_MOVED.
 */
export async function openStreamLog(connection: ClusterConnection, options: StreamLogOptions): Promise<StreamLog> {
  const { cluster, limits = {} } = options;
  try {
    const manager = await jetstreamManager(connection.nats);
    const found = await ensureStream(manager, cluster, limits);
    const seen = options.memory?.load();
    const info = seen === undefined ? found : await findStream({ manager, stream: streamName(cluster), seen });
    return await followStream(await takeUp({ connection, manager, info }, options));
  } catch (error) {
    throw natsError("open_log", streamName(cluster), error);
  }
}
