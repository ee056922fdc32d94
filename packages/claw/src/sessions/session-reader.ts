import { constants } from "node:fs";
import type { FramedLine, SessionMeta, SessionRecord, SessionTotals } from "claw-contract";
import { ClawError, createLineFramer, LIMITS, SESSION_FILE_VERSION } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { withFileErrors } from "../files/index.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { readRecord } from "./read-record.ts";
import type { SessionEntry } from "./session-files.ts";
import { closeQuietly, openSessionFile } from "./session-files.ts";
import { createTally } from "./session-totals.ts";

const CHUNK_BYTES = 1024 * 1024;

/** A session file read from its first byte to its last. */
export interface SessionReading {
  readonly meta: SessionMeta | undefined;
  readonly totals: SessionTotals;
  readonly uncommitted: number;
  /** How the file ends: with a whole line, with a whole record that lacks its line end, or with an unfinished line. */
  readonly tail: "whole" | "unterminated" | "torn";
  /** Bytes of the unfinished line. */
  readonly tornBytes: number;
}

/** Called for every record of the session, in order. */
export type OnRecord = (record: SessionRecord) => void;

function corrupt(entry: SessionEntry, lineNumber: number, why: string): ClawError {
  return new ClawError("SESSION_CORRUPT", `session '${entry.id}' is broken in line ${lineNumber}: ${why}`, {
    operation: "read",
    target: entry.path,
    details: { line: lineNumber },
  });
}

/** Refuses a file of a version that this program cannot know. */
export function requireVersion(entry: SessionEntry, meta: SessionMeta): void {
  if (meta.version <= SESSION_FILE_VERSION) return;
  throw new ClawError(
    "SESSION_VERSION_UNSUPPORTED",
    `session '${entry.id}' has version ${meta.version}; this version of claw reads up to ${SESSION_FILE_VERSION}`,
    { operation: "read", target: entry.path, details: { version: meta.version } },
  );
}

/** The chunks of a file, giving way to timers and signals between them. */
async function* chunksOf(fs: FileSystem, entry: SessionEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const fd = openSessionFile(fs, entry.path, constants.O_RDONLY);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = withFileErrors("read", entry.path, () => fs.readSync(fd, chunk, 0, CHUNK_BYTES, null));
      if (size === 0) return;
      yield chunk.subarray(0, size);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  } finally {
    closeQuietly(fs, fd);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}

/** Parses a line into a record; undefined when the line is blank or unknown to this version. */
function recordOf(entry: SessionEntry, line: FramedLine & { kind: "line" | "torn" }): SessionRecord | undefined {
  const text = decode(line.bytes);
  if (text === undefined) throw corrupt(entry, line.lineNumber, "it is not UTF-8 text");
  const reading = readRecord(text);
  if (reading.kind === "broken") throw corrupt(entry, line.lineNumber, reading.why);
  return reading.kind === "record" ? reading.record : undefined;
}

/** Reads a last line without a line end: either a whole record, or an unfinished line. */
function readTail(bytes: Uint8Array): Pick<SessionReading, "tail" | "tornBytes"> {
  const text = decode(bytes);
  const reading = text === undefined ? undefined : readRecord(text);
  const whole = reading?.kind === "record" || reading?.kind === "unknown";
  return whole ? { tail: "unterminated", tornBytes: 0 } : { tail: "torn", tornBytes: bytes.length };
}

/**
 * Reads a whole session and computes its totals. Throws SESSION_CORRUPT with the number of the first invalid line. An
 * unfinished last line is no error: its write was never acknowledged.
 */
export async function readSession(
  fs: FileSystem,
  entry: SessionEntry,
  options: { readonly onRecord?: OnRecord; readonly signal: AbortSignal },
): Promise<SessionReading> {
  const framer = createLineFramer({ maxLineBytes: LIMITS.sessionLineBytes });
  const tally = createTally();
  let meta: SessionMeta | undefined;
  let end: Pick<SessionReading, "tail" | "tornBytes"> = { tail: "whole", tornBytes: 0 };
  const take = (line: FramedLine): void => {
    if (line.kind === "oversize") throw corrupt(entry, line.lineNumber, `it is ${line.bytes} bytes long`);
    if (line.kind === "torn") {
      end = readTail(line.bytes);
      if (end.tail === "torn") return;
    }
    const record = recordOf(entry, line);
    if (record === undefined) return;
    if (record.type === "session_meta") requireVersion(entry, (meta = record));
    tally.add(record);
    options.onRecord?.(record);
  };
  for await (const chunk of chunksOf(fs, entry, options.signal)) {
    for (const line of framer.push(chunk)) take(line);
  }
  for (const line of framer.end()) take(line);
  return { meta, totals: tally.totals(), uncommitted: tally.uncommitted(), ...end };
}
