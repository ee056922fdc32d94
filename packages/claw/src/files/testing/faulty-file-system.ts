import type { FileSystem } from "../file-system.ts";
import { nodeFileSystem } from "../file-system.ts";

/** What goes wrong: the call with this number, counted from 0 over all calls. */
export interface Fault {
  readonly at: number;
  /** How many calls in a row go wrong; one unless told otherwise. */
  readonly calls?: number;
  /** Name of the error, or "SHORT" for a write that stores half of what it was given and says so. */
  readonly errno: "ENOSPC" | "EIO" | "EACCES" | "EROFS" | "SHORT";
}

export interface FaultyFileSystem {
  readonly fs: FileSystem;
  /** Every call so far, with its first argument where that is a path. */
  readonly calls: readonly string[];
}

type Call = (...args: unknown[]) => unknown;
type CallName = keyof FileSystem;

const NAMES: readonly CallName[] = [
  "openSync",
  "closeSync",
  "readSync",
  "writeSync",
  "fsync",
  "fsyncSync",
  "fdatasync",
  "ftruncateSync",
  "fstatSync",
  "lstatSync",
  "readdirSync",
  "mkdirSync",
  "rmdirSync",
  "unlinkSync",
  "linkSync",
  "renameSync",
];

function systemError(errno: string, name: CallName): Error {
  return Object.assign(new Error(`${errno}: injected, ${name}`), { code: errno, syscall: name });
}

/** Stores the first half, as a disk does that runs full in the middle of a write. */
function writeHalf(real: Call, args: readonly unknown[]): number {
  const [fd, bytes, offset = 0] = args as [number, Uint8Array, number | undefined];
  const length = Math.ceil((bytes.length - offset) / 2);
  return real(fd, bytes, offset, length) as number;
}

/** As the kernel does it: a failed close has closed all the same, a failed write may have stored a part. */
function fail(name: CallName, real: Call, args: readonly unknown[], errno: Fault["errno"]): unknown {
  if (name === "writeSync") {
    const size = writeHalf(real, args);
    if (errno === "SHORT") return size;
  } else if (errno === "SHORT") {
    return real(...args);
  }
  if (name === "closeSync") real(...args);
  if (name === "fsync" || name === "fdatasync") return (args[1] as (error: Error) => void)(systemError(errno, name));
  throw systemError(errno, name);
}

const skipSync = (_fd: number, done: () => void): void => void setImmediate(done);

/** The real file system without waiting for the disk: for tests in which a process ends, not the machine. */
export const unsyncedFileSystem: FileSystem = {
  ...nodeFileSystem,
  fsyncSync: () => undefined,
  fsync: skipSync as unknown as FileSystem["fsync"],
  fdatasync: skipSync as unknown as FileSystem["fdatasync"],
};

/** The real file system, or the given one, with one call that fails, or none. */
export function createFaultyFileSystem(fault?: Fault, base: FileSystem = nodeFileSystem): FaultyFileSystem {
  const calls: string[] = [];
  /** What goes wrong with the next call, which is counted. */
  const next = (call: string): Fault["errno"] | undefined => {
    const number = calls.push(call) - 1;
    return fault !== undefined && number >= fault.at && number < fault.at + (fault.calls ?? 1)
      ? fault.errno
      : undefined;
  };
  const later = (name: "fsync" | "fdatasync") => (fd: number, done: (error: Error | null) => void) => {
    const errno = next(name);
    if (errno === undefined || errno === "SHORT") return base[name](fd, done);
    return setImmediate(() => done(systemError(errno, name)));
  };
  const wrap = (name: CallName): Call => {
    const real = base[name] as unknown as Call;
    return (...args) => {
      const errno = next(typeof args[0] === "string" ? `${name} ${args[0]}` : name);
      return errno === undefined ? real(...args) : fail(name, real, args, errno);
    };
  };
  const wrapped = Object.fromEntries(NAMES.map((name) => [name, wrap(name)]));
  return { fs: { ...wrapped, fsync: later("fsync"), fdatasync: later("fdatasync") } as unknown as FileSystem, calls };
}
