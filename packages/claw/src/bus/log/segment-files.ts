import { constants } from "node:fs";
import { join } from "node:path";
import { LF } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { openUnshared, syncFolder } from "../../files/index.ts";
import { readLogLine } from "./log-line.ts";

const DIGITS = 12;
const SUFFIX = ".jsonl";
const STEP_BYTES = 64 * 1024;

/** One file of the log: events from `first` on, in order. */
export interface SegmentFile {
  readonly first: number;
  readonly path: string;
}

export const segmentPath = (directory: string, first: number): string =>
  join(directory, `${String(first).padStart(DIGITS, "0")}${SUFFIX}`);

/** The segments of a folder, oldest first. */
export function listSegments(fs: FileSystem, directory: string): SegmentFile[] {
  return fs
    .readdirSync(directory)
    .filter((name) => name.endsWith(SUFFIX) && /^\d+\.jsonl$/.test(name))
    .map((name) => ({ first: Number(name.slice(0, -SUFFIX.length)), path: join(directory, name) }))
    .toSorted((a, b) => a.first - b.first);
}

/**
 * Removes segments that were begun and never written to, because the log went on in the segment before: an empty
 * segment would stand in the way of later events. When all segments are empty, the last stays, since its name says how
 * far the log is.
 */
export function dropUnused(fs: FileSystem, files: readonly SegmentFile[]): SegmentFile[] {
  const used = files.filter(({ path }) => fs.lstatSync(path).size > 0);
  const kept = used.length > 0 ? used : files.slice(-1);
  for (const { path } of files) if (!kept.some((file) => file.path === path)) fs.unlinkSync(path);
  return kept;
}

/** Opens a segment for appending, made if it is not there. */
export function openSegment(fs: FileSystem, directory: string, first: number): number {
  const path = segmentPath(directory, first);
  const fd = openUnshared(fs, path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    syncFolder(fs, directory);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return fd;
}

export interface SegmentEnd {
  /** Bytes up to the end of the last record. */
  readonly size: number;
  /** Sequence of the last record; undefined when there is none. */
  readonly last: number | undefined;
  /** Bytes behind the last record: a line that was never finished, or what a power cut left in its place. */
  readonly torn: number;
  /** Bytes behind the last line end. */
  readonly unfinished: number;
}

/** The last record among whole lines, and where it ends; the first line is whole only at the start of the file. */
function lastRecord(bytes: Buffer, isStart: boolean): { end: number; last: number } | { end: number; last?: never } {
  let end = bytes.lastIndexOf(LF);
  while (end > 0) {
    const begin = bytes.lastIndexOf(LF, end - 1);
    if (begin === -1 && !isStart) break;
    const last = readLogLine(bytes.toString("utf8", begin + 1, end))?.sequence;
    if (last !== undefined) return { end: end + 1, last };
    end = begin;
  }
  return { end: end + 1 };
}

/** Finds the last record of a segment without reading the rest of it. */
export function findEnd(fs: FileSystem, fd: number): SegmentEnd {
  const { size } = fs.fstatSync(fd);
  let unfinished: number | undefined;
  let tail = Buffer.alloc(0);
  for (let start = size; start > 0;) {
    const from = Math.max(0, start - STEP_BYTES);
    const piece = Buffer.allocUnsafe(start - from);
    fs.readSync(fd, piece, 0, piece.length, from);
    tail = Buffer.concat([piece, tail]);
    start = from;
    const lineEnd = tail.lastIndexOf(LF);
    if (lineEnd === -1) continue;
    unfinished ??= size - start - lineEnd - 1;
    const { end, last } = lastRecord(tail, start === 0);
    if (last !== undefined) return { size: start + end, last, torn: size - start - end, unfinished };
    tail = tail.subarray(0, end);
  }
  return { size: 0, last: undefined, torn: size, unfinished: unfinished ?? size };
}

const SEQUENCE = /"sequence":(\d{1,16})\}$/;
/** Bytes at the end of a line that hold its sequence. */
const SEQUENCE_BYTES = 32;
const SCAN_BYTES = 1024 * 1024;

/**
 * The highest sequence at the end of a line; 0 when there is none. It is not always that of the last record: a disk or
 * a copy can repeat a part of the file.
 */
export function highestSequence(fs: FileSystem, fd: number, size: number): number {
  const piece = Buffer.allocUnsafe(Math.min(size, SCAN_BYTES + SEQUENCE_BYTES));
  let highest = 0;
  // A piece begins a little before the end of the one before, so that no number is cut in two.
  for (let at = 0; at < size; at += SCAN_BYTES) {
    const read = fs.readSync(fd, piece, 0, Math.min(piece.length, size - at), at);
    for (let end = piece.lastIndexOf(LF, read - 1); end > 0; end = piece.lastIndexOf(LF, end - 1)) {
      const digits = SEQUENCE.exec(piece.toString("latin1", Math.max(0, end - SEQUENCE_BYTES), end))?.[1];
      highest = Math.max(highest, Number(digits ?? 0));
    }
  }
  return highest;
}
