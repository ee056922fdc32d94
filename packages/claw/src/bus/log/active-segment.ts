import type { FileSystem } from "../../files/index.ts";
import { errnoOf, writeAllBytes, syncFile } from "../../files/index.ts";
import { lineTail } from "./log-line.ts";
import { findEnd, highestSequence, openSegment, segmentPath } from "./segment-files.ts";
import { takeIndex } from "./sealed-segments.ts";
import type { SparseIndex } from "./sparse-index.ts";
import { createSparseIndex } from "./sparse-index.ts";

/** The segment that is being written. */
export interface ActiveSegment {
  readonly first: number;
  readonly path: string;
  readonly fd: number;
  readonly index: SparseIndex;
  size(): number;
  /** Appends lines that get the sequences from `first` on. Throws, and leaves the file as it was, when it cannot. */
  write(heads: readonly string[], first: number): void;
  /** Cuts the file back to an earlier size. When that fails now, the next write does it first. */
  cutTo(size: number): void;
  close(): void;
}

export interface OpenedSegment {
  readonly segment: ActiveSegment;
  /** The highest sequence in it; `first - 1` when it is empty. */
  readonly last: number;
  /** Bytes of an unfinished line that were cut off. */
  readonly torn: number;
}

/** Opens the segment that starts at `first`, made if it is not there; an unfinished last line is cut off. */
export function openActiveSegment(fs: FileSystem, directory: string, first: number): OpenedSegment {
  const fd = openSegment(fs, directory, first);
  const end = findEnd(fs, fd);
  if (end.torn > 0) {
    fs.ftruncateSync(fd, end.size);
    syncFile(fs, fd);
  }
  const path = segmentPath(directory, first);
  const { index = createSparseIndex(first), next } = takeIndex(fs, { first, path }, end.size) ?? {};
  const segment = createActiveSegment(fs, { first, fd, path, size: end.size, index });
  const last = end.last ?? first - 1;
  // A segment as a clean stop left it is not searched (bench growth, "start of the daemon").
  return {
    segment,
    last: next === last + 1 ? last : Math.max(last, highestSequence(fs, fd, end.size)),
    torn: end.torn,
  };
}

interface SegmentFile {
  readonly first: number;
  readonly path: string;
  readonly fd: number;
  readonly size: number;
  readonly index: SparseIndex;
}

const numberedLines = (heads: readonly string[], from: number): string => {
  let text = "";
  let sequence = from;
  for (const head of heads) {
    text += head + lineTail(sequence);
    sequence += 1;
  }
  return text;
};

/** Most batches fit. Pages that no batch has needed take no memory. */
const LAID_OUT_BYTES = 256 * 1024;
/** Most bytes that a unit of a text takes in UTF-8. */
const UTF8_BYTES = 3;

/**
 * Makes the bytes of a text in the same place each time, without counting them before and without fresh memory (bench bus,
 * "window 100, relaxed"). The bytes are valid until the next call.
 */
function createEncoder(): (text: string) => Uint8Array {
  const place = Buffer.allocUnsafeSlow(LAID_OUT_BYTES);
  return (text) => (text.length * UTF8_BYTES > place.length ? Buffer.from(text) : place.subarray(0, place.write(text)));
}

function createActiveSegment(fs: FileSystem, file: SegmentFile): ActiveSegment {
  const { first, fd, path, index } = file;
  let { size } = file;
  let dirty = false;
  const encode = createEncoder();
  const clean = (): void => {
    fs.ftruncateSync(fd, size);
    dirty = false;
  };
  const cutTo = (to: number): void => {
    size = to;
    dirty = true;
    try {
      clean();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  };
  return {
    first,
    path,
    fd,
    index,
    size: () => size,
    write: (heads, from) => {
      const bytes = encode(numberedLines(heads, from));
      if (dirty) clean();
      try {
        writeAllBytes(fs, fd, bytes);
      } catch (error) {
        cutTo(size);
        throw error;
      }
      index.add(from, size);
      size += bytes.length;
    },
    cutTo,
    close: () => fs.closeSync(fd),
  };
}
