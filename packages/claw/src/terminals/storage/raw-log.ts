import { LIMITS } from "claw-contract";
import { errnoOf } from "../../files/index.ts";
import type { RawPiece, RawSegment } from "./raw-folder.ts";
import { readRaw } from "./raw-folder.ts";
import type { RawSegments, SegmentsOptions } from "./raw-segments.ts";
import { createSegments } from "./raw-segments.ts";
import type { Ring } from "./ring.ts";
import { createRing } from "./ring.ts";
import type { Soon } from "../host/soon.ts";

/**
 * Everything a terminal has put out, as far as it is kept. What waits for the disk is written before it is counted or
 * read, so that nothing a client has seen is lost when this process is killed. Only while the disk takes nothing is
 * output counted and read from memory alone.
 */
export interface RawLog {
  append(bytes: Buffer): void;
  /** Bytes the terminal has put out so far. Writes what waits. */
  total(): number;
  /** Position of the oldest byte that is kept. */
  oldest(): number;
  /** Reads at most so many bytes; fewer where memory and files meet. Writes what waits. */
  read(range: { offset?: number; limit: number }): RawPiece;
  /** Whether so much output waits for the disk that the terminal's program should be held up. */
  isFull(): boolean;
  /** Writes what waits and lets go of the file. */
  close(): void;
}

export interface RawLogOptions extends SegmentsOptions {
  /** Calls back a moment later; one moment for all who asked meanwhile. */
  readonly soon: Soon;
  /** Told when the disk takes nothing, and when it does again. */
  readonly stuck: (problem: string | null) => void;
}

const FLUSH_BYTES = 256 * 1024;
const RETRY_MS = 500;

interface Written {
  readonly segments: readonly RawSegment[];
  /** Bytes that are in the segments. */
  readonly written: number;
}

/** From memory if it is there, else from the files. */
function readFrom(range: { offset?: number; limit: number }, ring: Ring, { segments, written }: Written): RawPiece {
  const total = ring.end();
  const offset = Math.min(total, range.offset ?? Math.max(0, total - range.limit));
  if (offset >= ring.start()) return { bytes: ring.read(offset, range.limit), offset, total };
  return { ...readRaw(segments, { offset, limit: Math.min(range.limit, written - offset) }), total };
}

/** Writes pieces as one block, which the ring holds instead of them. Throws when the disk takes nothing. */
function writeOut(pieces: readonly Buffer[], segments: RawSegments, ring: Ring): void {
  const [first] = pieces;
  const isOne = first !== undefined && pieces.length === 1;
  const block = isOne ? first : Buffer.concat(pieces);
  segments.write(block);
  if (!isOne) ring.join(pieces.length, block);
}

/** Output that is in the ring and not yet in the files. */
interface Backlog {
  add(bytes: Buffer): void;
  /** Writes all of it. When the disk takes nothing, says so and tries again later. */
  flush(): void;
  /** Bytes of it. */
  size(): number;
  /** Whether the disk took nothing when it was last tried. */
  isStuck(): boolean;
  /** Writes it, or gives up trying again. */
  close(): void;
}

function createBacklog(segments: RawSegments, ring: Ring, stuck: RawLogOptions["stuck"]): Backlog {
  let pieces: Buffer[] = [];
  let size = 0;
  let retry: NodeJS.Timeout | undefined;
  let isStuck = false;
  const flush = (): void => {
    if (size === 0) return;
    try {
      writeOut(pieces, segments, ring);
      pieces = [];
      size = 0;
      if (isStuck) stuck(null);
      isStuck = false;
      ring.trim(ring.end());
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      if (!isStuck) stuck(String(error));
      isStuck = true;
      clearTimeout(retry);
      retry = setTimeout(flush, RETRY_MS);
    }
  };
  return {
    flush,
    size: () => size,
    isStuck: () => isStuck,
    add: (bytes) => {
      ring.push(bytes);
      pieces.push(bytes);
      size += bytes.length;
    },
    close: () => {
      flush();
      clearTimeout(retry);
    },
  };
}

export function createRawLog(options: RawLogOptions): RawLog {
  const segments = createSegments(options);
  const ring: Ring = createRing(LIMITS.terminalRingBytes);
  const backlog = createBacklog(segments, ring, options.stuck);
  let isAwaited = false;
  let isClosed = false;
  const flushSoon = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    options.soon(() => {
      isAwaited = false;
      // A closed log is written by the terminal, which closes it again and gives up in time.
      if (!isClosed) backlog.flush();
    });
  };
  const flushed = (): Ring => {
    if (!backlog.isStuck()) backlog.flush();
    return ring;
  };
  return {
    append: (bytes) => {
      backlog.add(bytes);
      if (backlog.isStuck()) return;
      if (backlog.size() >= FLUSH_BYTES) backlog.flush();
      else flushSoon();
    },
    total: () => flushed().end(),
    oldest: () => Math.min(segments.all()[0]?.start ?? ring.start(), ring.start()),
    isFull: () => backlog.size() > LIMITS.terminalUnwrittenBytes,
    read: (range) => readFrom(range, flushed(), { segments: segments.all(), written: ring.end() - backlog.size() }),
    close: () => {
      isClosed = true;
      backlog.close();
      segments.close();
    },
  };
}

/** All bytes of a range that are kept, up to its end. */
export function readRange(log: Pick<RawLog, "read">, from: number, to: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < to;) {
    const { bytes, offset } = log.read({ offset: at, limit: to - at });
    if (bytes.length === 0) break;
    parts.push(bytes);
    at = offset + bytes.length;
  }
  return Buffer.concat(parts);
}
