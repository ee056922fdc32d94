import type { FileSystem } from "../../files/index.ts";
import { writeAll } from "../../files/index.ts";
import { lineTail } from "./log-line.ts";
import { findEnd, openSegment, segmentPath } from "./segment-files.ts";
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
  /** Takes back everything behind a size the segment had before. */
  cutTo(size: number): void;
  close(): void;
}

export interface OpenedSegment {
  readonly segment: ActiveSegment;
  /** The last sequence in it; `first - 1` when it is empty. */
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
    fs.fsyncSync(fd);
  }
  const index = createSparseIndex(first);
  let size = end.size;
  const cutTo = (to: number): void => {
    fs.ftruncateSync(fd, to);
    size = to;
  };
  const segment: ActiveSegment = {
    first,
    path: segmentPath(directory, first),
    fd,
    index,
    size: () => size,
    write: (heads, from) => {
      let text = "";
      let sequence = from;
      for (const head of heads) {
        text += head + lineTail(sequence);
        sequence += 1;
      }
      const bytes = Buffer.from(text);
      try {
        writeAll(fs, fd, bytes);
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
  return { segment, last: end.last ?? first - 1, torn: end.torn };
}
