import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import { jetstreamManager } from "@nats-io/jetstream";
import { ClawError } from "claw-contract";
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
  /** The epochs of other logs that clients of this machine may hold cursors of. Without it, there is none. */
  readonly cursors?: KnownCursors;
  /** Remembers the stream across restarts. Without it, a stream that was replaced meanwhile is not noticed. */
  readonly memory?: StreamMemory;
  /** How often the log looks whether its feed stands still. */
  readonly lookMs?: number;
  /** Writes a line to the daemon's own log. */
  readonly report: (text: string) => void;
}

/** The epochs that cursors of a machine's clients may have. */
export interface KnownCursors {
  /** The highest of all. */
  readonly highest: number;
  /** The epoch of this stream; 0 when the machine has not followed the stream. */
  readonly own: number;
  /** Whether cursors of other logs may be taken for cursors of this one. */
  readonly mayMix: boolean;
}

const NO_CURSORS: KnownCursors = { highest: 0, own: 0, mayMix: false };

/** Refuses a stream whose cursors would look like those of another log. */
function requireDistinct(stream: string, epoch: number, { highest, own, mayMix }: KnownCursors): void {
  if (epoch > highest || epoch === own || mayMix) return;
  const message = `${stream} has the epoch ${epoch}, which another log of this folder has had: a cursor would mean two events`;
  throw new ClawError("LOG_NOT_MOVED", message, { operation: "open_log", target: stream });
}

const NO_MEMORY: StreamMemory = { load: () => undefined, save: () => undefined };

interface Found {
  readonly connection: ClusterConnection;
  readonly manager: JetStreamManager;
  readonly info: StreamInfo;
}

/** Agrees on the epoch with the other machines, and finds the newest message. */
async function takeUp({ connection, manager, info }: Found, options: StreamLogOptions): Promise<LogOptions> {
  const { cluster, machine, report, memory = NO_MEMORY, cursors = NO_CURSORS, number, ignored } = options;
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
  const isSame = seen === undefined || (await isSameStream(info, seen, reader));
  const epoch = await epochs.agree(info, seen, isSame, cursors.highest);
  requireDistinct(stream, epoch, cursors);
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
 * LOG_NOT_MOVED, MIGRATION_UNFINISHED, LOG_MOVED.
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
