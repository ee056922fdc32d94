import { ClawError } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, fileError, withFileErrors, syncData } from "../../files/index.ts";
import type { ActiveSegment } from "./active-segment.ts";
import { openActiveSegment } from "./active-segment.ts";
import type { Waiting } from "./commit-queue.ts";
import { createCommitQueue } from "./commit-queue.ts";
import type { EventLog } from "./event-log.ts";
import type { Epochs } from "./open-epoch.ts";
import { openEpoch } from "./open-epoch.ts";
import { createLogReader } from "./log-reader.ts";
import type { SealedSegment } from "./sealed-segments.ts";
import { expiredSegments, indexPath, keepIndex, sealedSegments } from "./sealed-segments.ts";
import { dropUnused, listSegments } from "./segment-files.ts";

export interface SegmentLogOptions {
  readonly directory: string;
  /** `strict` syncs before it reports; `relaxed` survives the death of the process, not of the machine. */
  readonly durability: "strict" | "relaxed";
  readonly segmentBytes: number;
  readonly retainBytes: number;
  readonly retainMs: number;
  /**
   * Whether events up to a sequence may be removed. Asked at every rotation that would remove events. Without this
   * function, all events may be removed.
   */
  readonly mayRemove?: (through: number) => boolean;
  /** Without it, a log that takes the place of another has the same epoch. */
  readonly epochs?: Epochs;
}

interface State {
  sealed: SealedSegment[];
  active: ActiveSegment;
  head: number;
  closed: boolean;
  /** Resolves when every segment before the active one is on disk. */
  finished: Promise<void>;
}

/** Opens the log in a folder, made if it is not there. A line that was never finished is cut off. */
export function openSegmentLog(fs: FileSystem, options: SegmentLogOptions): EventLog {
  const { directory } = options;
  const epoch = openEpoch(fs, directory, options.epochs);
  const state = withFileErrors("open", directory, () => openState(fs, directory));
  const queue = createCommitQueue((batch) => commit(fs, state, options, batch));
  const reader = createLogReader({ segments: () => [...state.sealed, state.active], head: () => state.head });
  return {
    epoch,
    head: () => state.head,
    oldest: () => state.sealed[0]?.first ?? state.active.first,
    follow: (feed) => queue.follow(feed),
    append: (event, listener) => {
      if (!state.closed) return queue.add(event, listener);
      return queueMicrotask(() => listener.failed(closedError(directory)));
    },
    // Two small batches would be synced twice.
    flush: () => (options.durability === "relaxed" ? queue.flush() : undefined),
    read: (after, maxBytes) => reader.read(after, maxBytes),
    sequenceAt: (time) => reader.sequenceAt(time),
    close: async () => {
      if (state.closed) return;
      state.closed = true;
      await queue.drain();
      await state.finished;
      keepIndex(fs, state.active, state.head + 1);
      state.active.close();
      await reader.close();
    },
  };
}

const closedError = (directory: string): ClawError =>
  new ClawError("FILESYSTEM_ERROR", "the log is closed", { operation: "append", target: directory });

function openState(fs: FileSystem, directory: string): State {
  const files = dropUnused(fs, listSegments(fs, directory));
  const first = files.at(-1)?.first ?? 1;
  const { segment, last } = openActiveSegment(fs, directory, first);
  return {
    sealed: sealedSegments(fs, files.slice(0, -1)),
    active: segment,
    head: last,
    closed: false,
    finished: Promise.resolve(),
  };
}

/** Stores a batch. Either all of it is stored when this is done, or the segment is as it was. */
function commit(
  fs: FileSystem,
  state: State,
  options: SegmentLogOptions,
  batch: readonly Waiting[],
): { first: number } | Promise<{ first: number }> {
  const { active } = state;
  const before = active.size();
  const failed = (error: unknown): never => {
    active.cutTo(before);
    throw fileError(error, "append", active.path);
  };
  const stored = (): { first: number } => {
    const first = state.head + 1;
    state.head += batch.length;
    if (active.size() >= options.segmentBytes) rotate(fs, state, options);
    return { first };
  };
  try {
    active.write(
      batch.map(({ head }) => head),
      state.head + 1,
    );
  } catch (error) {
    return failed(error);
  }
  return options.durability === "strict" ? syncData(fs, active.fd).then(stored, failed) : stored();
}

/** Begins the next segment; undefined when the disk refuses, which only postpones it. */
function beginSegment(fs: FileSystem, directory: string, first: number): ActiveSegment | undefined {
  try {
    return openActiveSegment(fs, directory, first).segment;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Does a step whose failure the log survives. */
async function attempt(step: () => Promise<void> | void): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/**
 * Syncs and closes a full segment. Commits go on meanwhile: the sync of a whole segment takes long when `relaxed` has
 * synced nothing of it before (bench bus, "window 100, relaxed").
 */
async function finish(fs: FileSystem, done: ActiveSegment, next: number): Promise<void> {
  await attempt(() => syncData(fs, done.fd));
  await attempt(() => done.close());
  await attempt(() => keepIndex(fs, done, next));
}

/**
 * Begins the next segment, finishes the segment before, and drops expired segments. The batch is stored by now, so a
 * step that the disk refuses does not fail the commit.
 */
function rotate(fs: FileSystem, state: State, options: SegmentLogOptions): void {
  const next = beginSegment(fs, options.directory, state.head + 1);
  if (next === undefined) return;
  const done = state.active;
  state.sealed.push({ first: done.first, path: done.path, index: done.index, size: () => done.size() });
  state.active = next;
  const before = state.finished;
  state.finished = finish(fs, done, next.first).then(() => before);
  try {
    dropExpired(fs, state, options);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Removes the oldest segments first and stops where the disk refuses, so the remaining log has no hole. */
function dropExpired(fs: FileSystem, state: State, options: SegmentLogOptions): void {
  const { mayRemove = () => true } = options;
  for (const { path } of expiredSegments(state.sealed, state.active.size(), options)) {
    const follower = state.sealed[1] ?? state.active;
    if (!mayRemove(follower.first - 1)) return;
    for (const file of [indexPath(path), path]) {
      if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) fs.unlinkSync(file);
    }
    state.sealed = state.sealed.slice(1);
  }
}
