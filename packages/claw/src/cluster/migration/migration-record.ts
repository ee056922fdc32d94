import type { StreamInfo } from "@nats-io/jetstream";
import { ClawError, parseJson } from "claw-contract";
import type { Bucket } from "../buckets/bucket.ts";

/** What `claw bus migrate` has done with a stream. */
export interface MigrationRecord {
  /**
   * `copying`: the log of a folder is being copied into the stream. `here`: all of it is there. `away`: the log went on in
   * a folder, and the stream is not used any more.
   */
  readonly state: "copying" | "here" | "away";
  /** When the stream was made, as its servers say. The record of a stream that was deleted counts as none. */
  readonly created: string;
  readonly machine: string;
  /** Absolute path of the folder, on that machine. */
  readonly folder: string;
  /** Epoch of the log in the stream. */
  readonly epoch: number;
  /** Epoch of the log in the folder. */
  readonly folderEpoch: number;
}

export interface KeptRecord extends MigrationRecord {
  readonly revision: number;
}

const KEY = "migration";

/** The record in the bucket of a cluster's facts; undefined when the stream has none. */
export async function readMigration(
  bucket: Bucket,
  { created }: Pick<StreamInfo, "created">,
): Promise<KeptRecord | undefined> {
  const entry = await bucket.read(KEY);
  const record = (parseJson(entry?.value ?? "null") ?? undefined) as MigrationRecord | undefined;
  return entry === undefined || record?.created !== created ? undefined : { ...record, revision: entry.revision };
}

const changedMeanwhile = (): ClawError =>
  new ClawError("CLUSTER_RUNNING", "another claw bus migrate works on this stream", {
    operation: "migrate",
    target: KEY,
    hint: "Wait until it is done, then call again.",
  });

/** Keeps a record by compare-and-set. Rejects with CLUSTER_RUNNING when another process has written one. */
export async function keepMigration(bucket: Bucket, record: MigrationRecord): Promise<void> {
  const { revision = 0 } = (await bucket.read(KEY)) ?? {};
  if ((await bucket.write(KEY, JSON.stringify(record), revision)) === undefined) throw changedMeanwhile();
}

/** Whether daemons may use a stream. */
export const isUsable = (record: MigrationRecord | undefined): boolean =>
  record === undefined || record.state === "here";

/** Refuses a daemon whose stream is being filled, or was left. Throws MIGRATION_UNFINISHED and LOG_MOVED. */
export function requireUsable(record: MigrationRecord | undefined, stream: string): void {
  if (record === undefined || isUsable(record)) return;
  const { state, machine, folder } = record;
  const options = { operation: "open_log", target: stream };
  if (state === "copying") {
    throw new ClawError("MIGRATION_UNFINISHED", `the log of ${folder} on ${machine} is being copied`, options);
  }
  throw new ClawError("LOG_MOVED", `the log of ${stream} went on in ${folder} on ${machine}`, options);
}
