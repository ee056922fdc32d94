import { constants } from "node:fs";
import { ClawError, LF, LIMITS } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { PRIVATE_FILE, writeAllBytes, syncFile } from "../files/index.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { readRecord } from "./read-record.ts";

const STEP_BYTES = 64 * 1024;
export type TailRepair =
  | { readonly kind: "whole" }
  /** Only the line end was missing. */
  | { readonly kind: "completed" }
  /** An unfinished line was cut off and kept beside the session. */
  | { readonly kind: "cut"; readonly bytes: number; readonly kept: string };

/** Where the last whole line ends. */
function endOfLines(fs: FileSystem, fd: number, size: number): number {
  const buffer = Buffer.allocUnsafe(STEP_BYTES);
  for (let end = size; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES);
    const read = fs.readSync(fd, buffer, 0, end - start, start);
    const index = buffer.subarray(0, read).lastIndexOf(LF);
    if (index !== -1) return start + index + 1;
  }
  return 0;
}

/** Writes bytes to a new file beside the session. Returns the path of the new file. */
function setAside(fs: FileSystem, path: string, bytes: Uint8Array): string {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? path : `${path}-${copy}`;
    if (fs.lstatSync(name, { throwIfNoEntry: false }) !== undefined) continue;
    const fd = fs.openSync(name, flags, PRIVATE_FILE);
    try {
      writeAllBytes(fs, fd, bytes);
      syncFile(fs, fd);
    } finally {
      fs.closeSync(fd);
    }
    return name;
  }
}

function readTorn(fs: FileSystem, fd: number, path: string, { from, to }: { from: number; to: number }): Buffer {
  if (to - from > LIMITS.sessionLineBytes) {
    throw new ClawError("SESSION_CORRUPT", `the last line of ${path} is ${to - from} bytes long and has no end`, {
      operation: "repair",
      target: path,
    });
  }
  const torn = Buffer.alloc(to - from);
  for (let read = 0; read < torn.length;) {
    const size = fs.readSync(fd, torn, read, torn.length - read, from + read);
    if (size === 0) break;
    read += size;
  }
  return torn;
}

/** Whether bytes are a whole record that only lacks its line end. */
function isRecord(bytes: Uint8Array): boolean {
  try {
    const { kind } = readRecord(decodeUtf8(bytes));
    return kind === "record" || kind === "unknown";
  } catch {
    // The bytes are not UTF-8, and claw writes only UTF-8.
    return false;
  }
}

/** Makes a session file end with a whole line. The caller holds the lock and has the file open for writing. */
export function repairTail(fs: FileSystem, fd: number, path: string): TailRepair {
  const { size } = fs.fstatSync(fd);
  const end = endOfLines(fs, fd, size);
  if (end === size) return { kind: "whole" };
  const torn = readTorn(fs, fd, path, { from: end, to: size });
  if (isRecord(torn)) {
    writeAllBytes(fs, fd, Buffer.from("\n"));
    syncFile(fs, fd);
    return { kind: "completed" };
  }
  const kept = setAside(fs, `${path}.torn-${end}`, torn);
  fs.ftruncateSync(fd, end);
  syncFile(fs, fd);
  return { kind: "cut", bytes: torn.length, kept };
}
