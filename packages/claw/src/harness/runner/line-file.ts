import nodeFs from "node:fs";
import { LF } from "claw-contract";

/** The file calls lines are written with. Tests put failing ones in their place. */
export type LineFileSystem = Pick<typeof nodeFs, "openSync" | "writeSync" | "closeSync">;

/** A private file that lines are added to, many at a time. */
export interface LineFile {
  /** Takes a line without its end. Never throws; a file that cannot be written says so in `problem`. */
  append(line: string): void;
  /** Takes lines joined by LF, in UTF-8. The bytes are copied or written at once. Never throws. */
  appendBytes(lines: Uint8Array): void;
  /** Writes what is still in memory. Never throws. */
  flush(): void;
  /** Flushes and closes; further lines are dropped. Idempotent. Never throws. */
  close(): void;
  /** Why lines are missing, or null. */
  problem(): string | null;
  /** Whether the file is there. */
  exists(): boolean;
}

export interface LineFileOptions {
  /** The file, already open for writing; without one it is made with the first line, and must not be there yet. */
  readonly fd?: number;
  readonly files?: LineFileSystem;
}

const PRIVATE = 0o600;
/** Bytes gathered in memory before a write. */
const BATCH_BYTES = 256 * 1024;
/** The most bytes a UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3;
const LINE_END = Uint8Array.of(LF);

function writeAll(files: LineFileSystem, fd: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) offset += files.writeSync(fd, bytes, offset);
}

/** Lines are kept in memory, as bytes, until there are enough of them to be written at once. */
export function createLineFile(path: string, { fd: given, files = nodeFs }: LineFileOptions = {}): LineFile {
  let fd = given;
  let batch: Buffer | undefined;
  let used = 0;
  let problem: string | null = null;
  let closed = false;

  const attempt = (step: () => void): void => {
    if (problem !== null) return;
    try {
      step();
    } catch (error) {
      problem = `${path} could not be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
    }
  };
  const write = (bytes: Uint8Array): void => {
    fd ??= files.openSync(path, "wx", PRIVATE);
    writeAll(files, fd, bytes);
  };
  const flush = (): void => {
    const waiting = batch?.subarray(0, used);
    used = 0;
    if (waiting !== undefined && waiting.length > 0) attempt(() => write(waiting));
  };
  /** The batch, with room for so many bytes; undefined for more than it can hold. */
  const roomFor = (needed: number): Buffer | undefined => {
    if (used + needed > BATCH_BYTES) flush();
    return needed > BATCH_BYTES ? undefined : (batch ??= Buffer.allocUnsafeSlow(BATCH_BYTES));
  };
  const appendBytes = (lines: Uint8Array): void => {
    if (closed || problem !== null) return;
    const room = roomFor(lines.length + 1);
    if (room === undefined) {
      attempt(() => write(lines));
      attempt(() => write(LINE_END));
      return;
    }
    room.set(lines, used);
    used = room.writeUInt8(LF, used + lines.length);
  };
  return {
    appendBytes,
    append: (line) => {
      if (closed || problem !== null) return;
      const room = roomFor(line.length * BYTES_PER_UNIT + 1);
      if (room === undefined) return appendBytes(Buffer.from(line));
      used += room.write(line, used);
      used = room.writeUInt8(LF, used);
    },
    flush,
    close: () => {
      if (closed) return;
      flush();
      closed = true;
      const open = fd;
      if (open !== undefined) attempt(() => files.closeSync(open));
    },
    problem: () => problem,
    exists: () => fd !== undefined,
  };
}
