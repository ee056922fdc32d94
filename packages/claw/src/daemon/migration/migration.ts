import { ClawError } from "claw-contract";
import type { StoredEvent } from "../../bus/index.ts";
import { createFence } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import type { ClusterOptions } from "../process/daemon-options.ts";
import type { WorkspaceFiles } from "../process/workspace-files.ts";
import type { FolderLog } from "./folder-log.ts";
import { holeAt, LogDigest } from "./log-digest.ts";
import type { ClusterSeat } from "./cluster-seat.ts";

export type MigrationStep = "read" | "copy" | "verify";

/** Told how far a step is: the sequence it has reached, and the sequence at which it is done. */
export type MigrationProgress = (step: MigrationStep, done: number, last: number) => void;

export interface MigrationOptions {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly files: WorkspaceFiles;
  readonly cluster: ClusterOptions;
  readonly progress: MigrationProgress;
  readonly signal: AbortSignal;
}

/** A log that was moved. */
export interface Moved {
  readonly cluster: string | null;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly copied: number;
  readonly holes: number;
  readonly sha256: string | null;
  readonly epoch: string | null;
  readonly cursors: "continue" | "gap" | null;
  /** Path of the log that the folder had. */
  readonly kept: string;
  readonly effect: "created" | "updated" | "noop";
}

/** A range of sequences. */
export interface Range {
  readonly after: number;
  readonly through: number;
}

/** Events between two reports of progress, and between two looks at the signal. */
const REPORT_EVERY = 2000;

/** The digest of a range of a folder's log. Calls `each` with every event. */
export async function digestOfFolder(
  log: FolderLog,
  { after, through }: Range,
  each: (sequence: number) => void,
): Promise<LogDigest> {
  const digest = new LogDigest(after);
  for await (const event of log.events(after)) {
    if (event.sequence > through) break;
    digest.add(event);
    if (digest.events % REPORT_EVERY === 0) each(event.sequence);
  }
  return digest;
}

/**
 * Reads a range of a stream. An event that counts nowhere in the cluster, because a later holder of its lease has written,
 * has a hole in its place: the log of a folder stores no leases.
 */
export async function readStream(
  { store }: Pick<ClusterSeat, "store">,
  { after, through }: Range,
  take: (event: StoredEvent) => void,
): Promise<void> {
  const fence = createFence();
  // The events before the range decide too.
  await store.read({ after: 0, through }, (event) => {
    const counts = fence.admits(event);
    if (event.sequence > after) take(counts ? event : holeAt(event));
  });
}

/** The digest of a range of a stream. */
export async function digestOfStream(
  seat: ClusterSeat,
  range: Range,
  each: (sequence: number) => void,
): Promise<LogDigest> {
  const digest = new LogDigest(range.after);
  await readStream(seat, range, (event) => {
    digest.add(event);
    if (digest.events % REPORT_EVERY === 0) each(event.sequence);
  });
  return digest;
}

/** Whether a range holds the same events in a folder and in a stream. */
export interface Compared {
  readonly isSame: boolean;
  readonly sha256: string;
  readonly holes: number;
}

/** Reads a range of both sides and compares their digests. */
export async function compare(
  log: FolderLog,
  seat: ClusterSeat,
  range: Range,
  { progress, signal }: Pick<MigrationOptions, "progress" | "signal">,
): Promise<Compared> {
  const { after, through } = range;
  // Both sides are read one after the other: each is half of the step.
  const each =
    (begin: number) =>
    (sequence: number): void => {
      signal.throwIfAborted();
      progress("verify", Math.floor(begin + (sequence - after) / 2), through);
    };
  const inStream = await digestOfStream(seat, range, each(after));
  const inFolder = await digestOfFolder(log, range, each((after + through) / 2));
  const [sha256, other] = [inStream.end(), inFolder.end()];
  const isSame = sha256 === other && inStream.head === inFolder.head && inFolder.head === range.through;
  return { isSame, sha256, holes: inStream.holes };
}

export const mismatch = (copy: string): ClawError =>
  new ClawError("MIGRATION_MISMATCH", `the copy in ${copy} differs from the log`, {
    operation: "migrate",
    target: copy,
  });

export const targetUsed = (target: string, message: string): ClawError =>
  new ClawError("MIGRATION_TARGET_USED", message, { operation: "migrate", target });
