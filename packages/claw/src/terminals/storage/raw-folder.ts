import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { unlessRefused } from "../../files/index.ts";

/** One file of a terminal's output. */
export interface RawSegment {
  readonly path: string;
  /** Position of its first byte since the terminal began. */
  readonly start: number;
  readonly size: number;
}

const DIGITS = 16;

export const segmentName = (start: number): string => `${String(start).padStart(DIGITS, "0")}.raw`;

function fileSize(path: string): number | undefined {
  // Removed since it was listed.
  return unlessRefused(() => statSync(path).size);
}

function namesIn(folder: string): string[] {
  return unlessRefused(() => readdirSync(folder), []);
}

/** The files of a terminal's output, oldest first; none for a terminal that is not known. */
export function listOutputFiles(folder: string): RawSegment[] {
  return namesIn(folder)
    .filter((name) => /^\d{16}\.raw$/.test(name))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      const size = fileSize(path);
      return size === undefined ? [] : [{ path, start: Number(name.slice(0, DIGITS)), size }];
    });
}

/** Bytes of one file. Fewer than asked for at its end. */
export function readOutputFile({ path, start }: RawSegment, from: number, limit: number): Buffer {
  const bytes = Buffer.allocUnsafe(limit);
  const fd = openSync(path, "r");
  try {
    let length = 0;
    while (length < limit) {
      const read = readSync(fd, bytes, length, limit - length, from - start + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

export interface RawPiece {
  readonly bytes: Buffer;
  /** Position of the first byte. */
  readonly offset: number;
  /** Number of bytes written to the log since the terminal was opened. */
  readonly total: number;
}

/** Reads stored output. An offset that is no longer stored is raised to the oldest stored offset. */
export function readRaw(segments: readonly RawSegment[], range: { offset?: number; limit: number }): RawPiece {
  const last = segments.at(-1);
  const total = last === undefined ? 0 : last.start + last.size;
  const oldest = segments[0]?.start ?? 0;
  const wanted = range.offset ?? Math.max(0, total - range.limit);
  const offset = Math.min(total, Math.max(oldest, wanted));
  const parts: Buffer[] = [];
  let at = offset;
  for (const segment of segments) {
    const left = Math.min(total, offset + range.limit) - at;
    if (left <= 0) break;
    if (at < segment.start || at >= segment.start + segment.size) continue;
    const part = readOutputFile(segment, at, Math.min(left, segment.start + segment.size - at));
    parts.push(part);
    at += part.length;
  }
  return { bytes: parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts), offset, total };
}
