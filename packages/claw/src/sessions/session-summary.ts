import { constants } from "node:fs";
import type { SessionMeta, SessionRecord, SessionTotals } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { withFileErrors } from "../files/index.ts";
import { readRecord } from "./read-record.ts";
import type { SessionEntry } from "./session-files.ts";
import { withSessionFile } from "./session-files.ts";
import { createTally } from "./session-totals.ts";

const SESSION_HEAD_BYTES = 4 * 1024;

/** Facts about a session, read from both ends of the file. */
export interface SessionGlimpse {
  readonly createdMs: number;
  /** The first record, when it is a valid `session_meta`. */
  readonly meta: SessionMeta | undefined;
  /** Undefined when the file is too large to count and has no commit near its end. */
  readonly totals: SessionTotals | undefined;
}

function readBytes(fs: FileSystem, fd: number, position: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  const size = fs.readSync(fd, bytes, 0, length, position);
  return bytes.toString("utf8", 0, size);
}

/** The records of a piece of the file. An unfinished last line is left out. */
function recordsIn(text: string): SessionRecord[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").flatMap((line) => {
    const reading = readRecord(line);
    return reading.kind === "record" ? [reading.record] : [];
  });
}

function tally(records: readonly SessionRecord[]): SessionTotals {
  const count = createTally();
  for (const record of records) count.add(record);
  return count.totals();
}

/** Totals from the last `length` bytes: the totals of the last commit there, plus the records after the commit. */
function totalsFromEnd(fs: FileSystem, fd: number, size: number, length: number): SessionTotals | undefined {
  const start = Math.max(0, size - length);
  const text = readBytes(fs, fd, start, size - start);
  // A piece from the middle of the file begins inside a line.
  const records = recordsIn(start === 0 ? text : text.slice(text.indexOf("\n") + 1));
  const commit = records.findLastIndex((record) => record.type === "turn_commit");
  if (commit === -1 && start > 0) return undefined;
  return tally(records.slice(Math.max(commit, 0)));
}

function readMeta(fs: FileSystem, fd: number, size: number): SessionMeta | undefined {
  const head = readBytes(fs, fd, 0, Math.min(size, SESSION_HEAD_BYTES));
  const end = head.indexOf("\n");
  const reading = readRecord(end === -1 ? head : head.slice(0, end));
  return reading.kind === "record" && reading.record.type === "session_meta" ? reading.record : undefined;
}

const LAST_DATE_MS = 8.64e15;

/** When a session was created, by its first record; otherwise when the file was last changed. */
export function createdMs(meta: SessionMeta | undefined, entry: SessionEntry): number {
  const told: unknown = meta?.created_at_ms;
  const isDate = typeof told === "number" && Number.isSafeInteger(told) && told >= 0 && told <= LAST_DATE_MS;
  return isDate ? told : entry.modifiedMs;
}

/** Looks at both ends of a session file; the rest is not read unless it is small (bench sessions). */
export function glimpseSession(fs: FileSystem, entry: SessionEntry): SessionGlimpse {
  return withSessionFile(fs, entry.path, constants.O_RDONLY, (fd) =>
    withFileErrors("read", entry.path, () => {
      const meta = readMeta(fs, fd, entry.size);
      const totals =
        totalsFromEnd(fs, fd, entry.size, LIMITS.sessionTailBytes) ??
        totalsFromEnd(fs, fd, entry.size, LIMITS.sessionScanBytes);
      return { createdMs: createdMs(meta, entry), meta, totals };
    }),
  );
}
