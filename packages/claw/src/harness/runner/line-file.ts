import nodeFs from "node:fs";

/** The file calls lines are written with. Tests put failing ones in their place. */
export type LineFileSystem = Pick<typeof nodeFs, "openSync" | "writeSync" | "closeSync">;

/** A private file that lines are added to, many at a time. */
export interface LineFile {
  /** Takes a line without its end. Never throws; a file that cannot be written says so in `problem`. */
  append(line: string): void;
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
/** Characters gathered in memory before a write. */
const BATCH_CHARS = 64 * 1024;

function writeAll(files: LineFileSystem, fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) offset += files.writeSync(fd, bytes, offset);
}

/** Lines are kept in memory until there are enough of them to be written at once. */
export function createLineFile(path: string, { fd: given, files = nodeFs }: LineFileOptions = {}): LineFile {
  let fd = given;
  let lines: string[] = [];
  let chars = 0;
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
  const write = (text: string): void => {
    fd ??= files.openSync(path, "wx", PRIVATE);
    writeAll(files, fd, text);
  };
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    lines = [];
    chars = 0;
    attempt(() => write(text));
  };
  return {
    append: (line) => {
      if (closed || problem !== null) return;
      lines.push(line);
      chars += line.length;
      if (chars >= BATCH_CHARS) flush();
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
