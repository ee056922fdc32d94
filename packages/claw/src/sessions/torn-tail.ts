import { constants } from "node:fs";
import type { FileSystem } from "../files/index.ts";
import { PRIVATE_FILE, writeAll } from "../files/index.ts";
import { readRecord } from "./read-record.ts";

const STEP_BYTES = 64 * 1024;
const LF = 0x0a;

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

function keep(fs: FileSystem, path: string, bytes: Uint8Array): void {
  const fd = fs.openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, PRIVATE_FILE);
  try {
    writeAll(fs, fd, bytes);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Makes a session file end with a whole line. The caller holds its lock and has it open for writing. */
export function repairTail(fs: FileSystem, fd: number, path: string): TailRepair {
  const { size } = fs.fstatSync(fd);
  const end = endOfLines(fs, fd, size);
  if (end === size) return { kind: "whole" };
  const torn = Buffer.allocUnsafe(size - end);
  fs.readSync(fd, torn, 0, torn.length, end);
  const reading = readRecord(torn.toString("utf8"));
  if (reading.kind === "record" || reading.kind === "unknown") {
    writeAll(fs, fd, Buffer.from("\n"));
    fs.fsyncSync(fd);
    return { kind: "completed" };
  }
  const kept = `${path}.torn-${end}`;
  keep(fs, kept, torn);
  fs.ftruncateSync(fd, end);
  fs.fsyncSync(fd);
  return { kind: "cut", bytes: torn.length, kept };
}
