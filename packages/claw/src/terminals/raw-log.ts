import { LIMITS } from "@claw/contract";
import { errnoOf } from "../files/index.ts";
import type { RawPiece, RawSegment } from "./raw-folder.ts";
import { readRaw } from "./raw-folder.ts";
import type { RawSegments, SegmentsOptions } from "./raw-segments.ts";
import { createSegments } from "./raw-segments.ts";
import type { Ring } from "./ring.ts";
import { createRing } from "./ring.ts";
import type { Soon } from "./soon.ts";

/** Everything a terminal has put out, as far as it is kept. */
export interface RawLog {
  append(bytes: Buffer): void;
  /** All bytes so far. */
  total(): number;
  /** Position of the oldest byte that is kept. */
  oldest(): number;
  /** Reads at most so many bytes; fewer where memory and files meet. */
  read(range: { offset?: number; limit: number }): RawPiece;
  /** Whether so much waits for the disk that its program should be held up. */
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
  /** Bytes that are in them. */
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

export function createRawLog(options: RawLogOptions): RawLog {
  const segments = createSegments(options);
  const ring: Ring = createRing(LIMITS.terminalRingBytes);
  let unwritten: Buffer[] = [];
  let waiting = 0;
  let retry: NodeJS.Timeout | undefined;
  let isStuck = false;
  const flush = (): void => {
    if (waiting === 0) return;
    try {
      writeOut(unwritten, segments, ring);
      unwritten = [];
      waiting = 0;
      if (isStuck) options.stuck(null);
      isStuck = false;
      ring.trim(ring.end());
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      if (!isStuck) options.stuck(String(error));
      isStuck = true;
      clearTimeout(retry);
      retry = setTimeout(flush, RETRY_MS);
    }
  };
  return {
    append: (bytes) => {
      ring.push(bytes);
      unwritten.push(bytes);
      const isFirst = waiting === 0;
      waiting += bytes.length;
      if (isStuck) return;
      if (waiting >= FLUSH_BYTES) flush();
      else if (isFirst) options.soon(flush);
    },
    total: () => ring.end(),
    oldest: () => Math.min(segments.all()[0]?.start ?? ring.start(), ring.start()),
    isFull: () => waiting > LIMITS.terminalUnwrittenBytes,
    read: (range) => readFrom(range, ring, { segments: segments.all(), written: ring.end() - waiting }),
    close: () => {
      flush();
      clearTimeout(retry);
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
