import type nodeFs from "node:fs";
import { closeSync, openSync, writeSync } from "node:fs";
import { LF } from "claw-contract";

/** The file calls lines are written with. Tests put failing ones in their place. */
export type LineFileSystem = Pick<typeof nodeFs, "openSync" | "writeSync" | "closeSync">;

/** Named one by one: the bundler copies a module that is imported as a whole. Serves `claw run` of `harness`. */
const OF_NODE: LineFileSystem = { openSync, writeSync, closeSync };

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

/** A file that is made at the first write. After a failed call the later ones do nothing. */
function openLate(path: string, { fd: given, files = OF_NODE }: LineFileOptions) {
  let fd = given;
  let problem: string | null = null;
  const attempt = (step: () => void): void => {
    if (problem !== null) return;
    try {
      step();
    } catch (error) {
      problem = `${path} could not be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
    }
  };
  return {
    write: (...pieces: readonly Uint8Array[]): void =>
      attempt(() => {
        fd ??= files.openSync(path, "wx", PRIVATE);
        for (const bytes of pieces) writeAll(files, fd, bytes);
      }),
    close: (): void => {
      const open = fd;
      if (open !== undefined) attempt(() => files.closeSync(open));
    },
    problem: () => problem,
    exists: () => fd !== undefined,
  };
}

/** Lines are kept in memory, as bytes, until there are enough of them to be written at once. */
export function createLineFile(path: string, options: LineFileOptions = {}): LineFile {
  const file = openLate(path, options);
  let batch: Buffer | undefined;
  let used = 0;
  let closed = false;

  const flush = (): void => {
    const waiting = batch?.subarray(0, used);
    used = 0;
    if (waiting !== undefined && waiting.length > 0) file.write(waiting);
  };
  /** The batch, with room for so many bytes; undefined for more than it can hold. */
  const roomFor = (needed: number): Buffer | undefined => {
    if (used + needed > BATCH_BYTES) flush();
    return needed > BATCH_BYTES ? undefined : (batch ??= Buffer.allocUnsafeSlow(BATCH_BYTES));
  };
  const appendBytes = (lines: Uint8Array): void => {
    if (closed || file.problem() !== null) return;
    const room = roomFor(lines.length + 1);
    if (room === undefined) return file.write(lines, LINE_END);
    room.set(lines, used);
    used = room.writeUInt8(LF, used + lines.length);
  };
  return {
    appendBytes,
    append: (line) => {
      if (closed || file.problem() !== null) return;
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
      file.close();
    },
    problem: () => file.problem(),
    exists: () => file.exists(),
  };
}
