import { constants } from "node:fs";
import { join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, syncFolder, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { readLine } from "./log-line.ts";

const DIGITS = 12;
const SUFFIX = ".jsonl";
const LF = 0x0a;
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
 * Removes segments that were begun and never written to, because the one before went on: they would stand in the way
 * of what follows there. One stays when there is no other, since its name says how far the log is.
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
  const fd = fs.openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, PRIVATE_FILE);
  try {
    syncFolder(fs, directory);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return fd;
}

export interface SegmentEnd {
  /** Bytes of whole lines. */
  readonly size: number;
  /** Sequence of the last whole line; undefined when there is none. */
  readonly last: number | undefined;
  /** Bytes behind the last line end. */
  readonly torn: number;
}

/** Finds the last whole line of a segment without reading the rest of it. */
export function findEnd(fs: FileSystem, fd: number): SegmentEnd {
  const { size } = fs.fstatSync(fd);
  let tail = Buffer.alloc(0);
  for (let start = size; start > 0;) {
    const from = Math.max(0, start - STEP_BYTES);
    const piece = Buffer.allocUnsafe(start - from);
    fs.readSync(fd, piece, 0, piece.length, from);
    tail = Buffer.concat([piece, tail]);
    start = from;
    const end = tail.lastIndexOf(LF);
    const begin = end === -1 ? -1 : tail.lastIndexOf(LF, end - 1);
    if (end === -1 || (begin === -1 && start > 0)) continue;
    const line = tail.toString("utf8", begin + 1, end);
    return { size: start + end + 1, last: readLine(line)?.sequence, torn: tail.length - end - 1 };
  }
  return { size: 0, last: undefined, torn: size };
}

interface LogMeta {
  readonly version: number;
  readonly epoch: string;
}

/** Makes the folder of a log, and reads or writes what names it. */
export function openMeta(fs: FileSystem, directory: string, read: (path: string) => string | undefined): LogMeta {
  return withFileErrors("open", directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const path = join(directory, "meta.json");
    const text = read(path);
    if (text !== undefined) return JSON.parse(text) as LogMeta;
    const meta: LogMeta = { version: 1, epoch: "0001" };
    writeFileAtomically(fs, path, `${JSON.stringify(meta)}\n`);
    return meta;
  });
}
