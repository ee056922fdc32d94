import { LIMITS } from "@claw/contract";
import { errnoOf } from "../../files/index.ts";
import type { LogBatch } from "./event-log.ts";
import { createReadFiles } from "./read-files.ts";
import type { ReadPlace } from "./segment-reader.ts";
import { readSegment } from "./segment-reader.ts";
import type { SparseIndex } from "./sparse-index.ts";

interface ReadableSegment {
  readonly first: number;
  readonly path: string;
  readonly index: SparseIndex | undefined;
  size(): number;
}

export interface LogReaderSource {
  /** Oldest first, at least one. */
  segments(): readonly ReadableSegment[];
  head(): number;
}

export interface LogReader {
  read(after: number): Promise<LogBatch>;
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

/**
 * Halves the log until the first event is found that is not older than a time (bench growth, "claw events"). Where the
 * clock was set back, one of the places is found at which the time passes.
 */
async function sequenceBefore(read: LogReader["read"], start: number, head: number, wanted: string): Promise<number> {
  let [older, notOlder] = [start, head];
  while (older < notOlder) {
    const middle = older + Math.floor((notOlder - older) / 2);
    const { events, through } = await read(middle);
    const late = events.find((event) => event.tsServer >= wanted);
    if (late === events[0]) notOlder = middle;
    else if (late !== undefined) return late.sequence - 1;
    else older = through;
  }
  return older;
}

export function createLogReader(source: LogReaderSource): LogReader {
  const places = new Map<string, ReadPlace>();
  const files = createReadFiles();

  const remember = (after: number, place: ReadPlace): void => {
    places.set(`${after}`, place);
    const [oldest] = places.keys();
    if (places.size > REMEMBERED_PLACES && oldest !== undefined) places.delete(oldest);
  };

  async function read(after: number): Promise<LogBatch> {
    const head = source.head();
    if (after >= head) return { events: [], through: after };
    const segments = source.segments();
    const segment = segmentAfter(segments, after);
    if (segment === undefined) return { events: [], through: after };
    const known = places.get(`${after}`);
    places.delete(`${after}`);
    const offset = known?.path === segment.path ? known.offset : (segment.index?.find(after + 1) ?? 0);
    const size = segment.size();
    const plan = { path: segment.path, offset, size, after, head, maxBytes: LIMITS.logReadBytes };
    const batch = await readSegment(files, plan).catch((error: unknown) => {
      // Retention may have taken the file away since it was chosen.
      if (errnoOf(error) === "ENOENT" && !source.segments().some(({ path }) => path === segment.path)) return undefined;
      throw error;
    });
    if (batch === undefined) return read(after);
    const { events } = batch;
    // Events before the oldest segment were removed.
    const through = Math.min(Math.max(batch.through, segment.first - 1), head);
    if (batch.through === through && !batch.isAhead) remember(through, batch.place);
    if (events.length > 0) return { events, through };
    // In a segment without an index, whole batches can lie before the wanted event.
    if (batch.place.offset > offset && batch.place.offset < size && through < head) return read(through);
    const next = segments[segments.indexOf(segment) + 1];
    return next === undefined ? { events, through } : read(Math.max(through, next.first - 1));
  }

  return {
    read,
    sequenceAt: (time) => {
      const start = (source.segments()[0]?.first ?? 1) - 1;
      return sequenceBefore(read, start, source.head(), time.toISOString());
    },
    close: () => files.close(),
  };
}
