import { close, open, read as readBytes } from "node:fs";
import { promisify } from "node:util";
import { LF } from "claw-contract";
import type { LogBatch, StoredEvent } from "./event-log.ts";
import { readLogLine } from "./log-line.ts";

export interface ReadPlan {
  readonly path: string;
  /** Where to begin: the start of some line at or before the wanted one. */
  readonly offset: number;
  /** Bytes of the file that are committed. */
  readonly size: number;
  /** Events up to this sequence are passed over. */
  readonly after: number;
  /** Events beyond this sequence are not committed, or their line is damaged. */
  readonly head: number;
  readonly maxBytes: number;
}

/** Where reading ended, so that the next batch need not search. */
export interface ReadPlace {
  readonly path: string;
  readonly offset: number;
  /** The sequence that the event at this place has at least. */
  readonly next: number;
}

export interface SegmentBatch extends LogBatch {
  readonly place: ReadPlace;
  /** Whether events stand before that place that may be committed later. */
  readonly isAhead: boolean;
}

function linesOf(bytes: Buffer): { lines: string[]; used: number } {
  const end = bytes.lastIndexOf(LF);
  if (end === -1) return { lines: [], used: 0 };
  return { lines: bytes.toString("utf8", 0, end).split("\n"), used: end + 1 };
}

/** Whole lines from an offset on; a line longer than `maxBytes` is read whole all the same. */
async function readLines(files: ReadFiles, plan: ReadPlan): Promise<{ lines: string[]; used: number }> {
  for (let length = plan.maxBytes; ; length *= 2) {
    const wanted = Math.min(length, plan.size - plan.offset);
    const buffer = Buffer.allocUnsafe(Math.max(0, wanted));
    const size = await files.read(plan.path, buffer, plan.offset);
    const found = linesOf(buffer.subarray(0, size));
    if (found.used > 0 || wanted < length) return found;
  }
}

/**
 * The next events of one segment, in growing order: what the file repeats is left out. `through` is the last sequence
 * found; an empty batch means the end of the segment.
 */
export async function readSegment(files: ReadFiles, plan: ReadPlan): Promise<SegmentBatch> {
  const { lines, used } = await readLines(files, plan);
  const events: StoredEvent[] = [];
  let through = plan.after;
  let highest = 0;
  let isBeyond = false;
  for (const line of lines) {
    const event = readLogLine(line);
    if (event === undefined) continue;
    if (event.sequence > plan.head) {
      isBeyond = true;
      continue;
    }
    highest = Math.max(highest, event.sequence);
    if (event.sequence <= through) continue;
    events.push(event);
    through = event.sequence;
  }
  // Uncommitted events stand behind the head. An earlier line with a number beyond the head is damaged.
  const isAhead = isBeyond && through >= plan.head;
  const place = { path: plan.path, offset: plan.offset + used, next: highest + 1 };
  return { events, through, place, isAhead };
}

const openFile = promisify(open);
const closeFile = promisify(close);

/** Most files kept open. Readers in different segments need a file each. */
const OPEN_FILES = 16;

/**
 * Reads pieces of files without blocking the process. Files stay open, because readers usually read on in the same
 * file.
 */
export interface ReadFiles {
  /** Fills a buffer from a position on. Resolves with how many bytes there were; rejects when it cannot be read. */
  read(path: string, buffer: Buffer, position: number): Promise<number>;
  /** Resolves when all files are closed, except files being read, which are closed afterwards. Idempotent. */
  close(): Promise<void>;
}

interface OpenFile {
  readonly fd: Promise<number>;
  readers: number;
  dropped: boolean;
}

const readPiece = (fd: number, buffer: Buffer, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    readBytes(fd, buffer, 0, buffer.length, position, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });

/** Closes a dropped file without readers. A file that could not be opened needs no closing. */
async function closeIdle(file: OpenFile): Promise<void> {
  if (!file.dropped || file.readers > 0) return;
  const [opened] = await Promise.allSettled([file.fd]);
  if (opened.status === "fulfilled") await closeFile(opened.value);
}

export function createReadFiles(): ReadFiles {
  // Ordered by last use, the newest last.
  const files = new Map<string, OpenFile>();
  let closed = false;
  const drop = async (path: string, file: OpenFile): Promise<void> => {
    if (files.get(path) === file) files.delete(path);
    file.dropped = true;
    await closeIdle(file);
  };
  const take = (path: string): OpenFile => {
    const file = files.get(path) ?? { fd: openFile(path, "r"), readers: 0, dropped: closed };
    files.delete(path);
    if (!closed) files.set(path, file);
    file.readers += 1;
    return file;
  };
  const trim = async (): Promise<void> => {
    const [oldest] = files;
    if (files.size > OPEN_FILES && oldest !== undefined) await drop(...oldest);
  };
  return {
    read: async (path, buffer, position) => {
      const file = take(path);
      try {
        return await readPiece(await file.fd, buffer, position);
      } catch (error) {
        await drop(path, file);
        throw error;
      } finally {
        file.readers -= 1;
        await closeIdle(file);
        await trim();
      }
    },
    close: async () => {
      closed = true;
      await Promise.all([...files].map(([path, file]) => drop(path, file)));
    },
  };
}
