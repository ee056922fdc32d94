import { LIMITS } from "claw-contract";
import { errnoOf } from "../../files/index.ts";
import type { LogBatch } from "./event-log.ts";
import { createReadFiles, readSegment } from "./segment-reader.ts";
import type { ReadPlace, SegmentBatch } from "./segment-reader.ts";
import type { SparseIndex } from "./sparse-index.ts";

interface ReadableSegment {
  readonly first: number;
  readonly path: string;
  readonly index: SparseIndex;
  size(): number;
}

export interface LogReaderSource {
  /** Oldest first, at least one. */
  segments(): readonly ReadableSegment[];
  head(): number;
}

export interface LogReader {
  /** At most about so many bytes, `LIMITS.logReadBytes` by default, and always one event at least. */
  read(after: number, maxBytes?: number): Promise<LogBatch>;
  sequenceAt(time: Date): Promise<number>;
  /** Resolves when no file is open any more. */
  close(): Promise<void>;
}

/** How many readers' places are remembered, so that each goes on where it stopped instead of searching. */
const REMEMBERED_PLACES = 256;

/** The segment that holds the event after a sequence; the oldest segment when the event was removed. */
function segmentAfter(segments: readonly ReadableSegment[], after: number): ReadableSegment | undefined {
  return segments.findLast((segment) => segment.first <= after + 1) ?? segments[0];
}

/** Enough for most events. An event that is longer is read all the same. */
const ONE_EVENT_BYTES = 2048;

/** Sequences that can be read without a search, oldest first. */
const knownSequences = (segments: readonly ReadableSegment[]): number[] =>
  segments.flatMap(({ index }) => index.sequences());

/**
 * Finds the event before the first that is not older than a time (bench growth, "claw events"): halves the known
 * places, then reads on from the last one that is older. Where the clock was set back, one of the places is found at
 * which the time passes.
 */
async function sequenceBefore(read: LogReader["read"], known: readonly number[], wanted: string): Promise<number> {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = (await read((known[middle] ?? 1) - 1, ONE_EVENT_BYTES)).events;
    if (event !== undefined && event.tsServer < wanted) low = middle + 1;
    else high = middle;
  }
  for (let after = (known[Math.max(0, low - 1)] ?? 1) - 1; ;) {
    const { events, through } = await read(after);
    const late = events.find((event) => event.tsServer >= wanted);
    if (late !== undefined) return late.sequence - 1;
    if (events.length === 0) return after;
    after = through;
  }
}

/** Notes in the index where the events behind a read begin. A piece of damaged lines alone tells no sequence. */
function learn({ first, index }: ReadableSegment, { place, isAhead }: SegmentBatch): void {
  if (!isAhead && place.next > first) index.add(place.next, place.offset);
}

export function createLogReader(source: LogReaderSource): LogReader {
  const places = new Map<string, ReadPlace>();
  const files = createReadFiles();

  const remember = (after: number, place: ReadPlace): void => {
    places.set(`${after}`, place);
    const [oldest] = places.keys();
    if (places.size > REMEMBERED_PLACES && oldest !== undefined) places.delete(oldest);
  };

  async function read(after: number, maxBytes: number = LIMITS.logReadBytes): Promise<LogBatch> {
    const head = source.head();
    if (after >= head) return { events: [], through: after };
    const segments = source.segments();
    const segment = segmentAfter(segments, after);
    if (segment === undefined) return { events: [], through: after };
    const known = places.get(`${after}`);
    places.delete(`${after}`);
    const offset = known?.path === segment.path ? known.offset : segment.index.find(after + 1);
    const size = segment.size();
    const plan = { path: segment.path, offset, size, after, head, maxBytes };
    const batch = await readSegment(files, plan).catch((error: unknown) => {
      // Retention may have taken the file away since it was chosen.
      if (errnoOf(error) === "ENOENT" && !source.segments().some(({ path }) => path === segment.path)) return undefined;
      throw error;
    });
    if (batch === undefined) return read(after, maxBytes);
    const { events } = batch;
    learn(segment, batch);
    // Events before the oldest segment were removed.
    const through = Math.min(Math.max(batch.through, segment.first - 1), head);
    if (batch.through === through && !batch.isAhead) remember(through, batch.place);
    if (events.length > 0) return { events, through };
    // In a segment whose index has few entries, whole batches can lie before the wanted event.
    if (batch.place.offset > offset && batch.place.offset < size && through < head) return read(through, maxBytes);
    const next = segments[segments.indexOf(segment) + 1];
    return next === undefined ? { events, through } : read(Math.max(through, next.first - 1), maxBytes);
  }

  return {
    read,
    sequenceAt: (time) => sequenceBefore(read, knownSequences(source.segments()), time.toISOString()),
    close: () => files.close(),
  };
}
