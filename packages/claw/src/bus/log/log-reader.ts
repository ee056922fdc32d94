import { LIMITS } from "@claw/contract";
import type { LogBatch } from "./event-log.ts";
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
}

/** How many readers' places are remembered, so that each goes on where it stopped instead of searching. */
const REMEMBERED_PLACES = 256;

/** The segment that holds what follows a sequence; the oldest one when that is gone. */
function segmentAfter(segments: readonly ReadableSegment[], after: number): ReadableSegment | undefined {
  return segments.findLast((segment) => segment.first <= after + 1) ?? segments[0];
}

export function createLogReader(source: LogReaderSource): LogReader {
  const places = new Map<string, ReadPlace>();

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
    const batch = await readSegment({ path: segment.path, offset, size, after, maxBytes: LIMITS.logReadBytes });
    // What was written but is not committed yet must not be seen.
    const events = batch.through > head ? batch.events.filter((event) => event.sequence <= head) : batch.events;
    const through = Math.min(batch.through, head);
    if (batch.through === through) remember(through, batch.place);
    if (events.length > 0 || batch.place.offset < size) return { events, through };
    const next = segments[segments.indexOf(segment) + 1];
    return next === undefined ? { events, through } : read(Math.max(through, next.first - 1));
  }

  /** Walks forward from the newest segment that begins early enough. */
  async function sequenceAt(time: Date): Promise<number> {
    const wanted = time.toISOString();
    let found = 0;
    for (let after = (source.segments()[0]?.first ?? 1) - 1; ;) {
      const { events, through } = await read(after);
      if (events.length === 0) return found;
      const late = events.find((event) => event.tsServer >= wanted);
      if (late !== undefined) return late.sequence - 1;
      found = through;
      after = through;
    }
  }

  return { read, sequenceAt };
}
