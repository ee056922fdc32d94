import { writeSync } from "node:fs";
import { errnoOf } from "../../files/index.ts";

const FULL_PIPE_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes text to a standard stream, all of it, before it returns. A reader that hung up is no error: returns false
 * and the rest is dropped.
 */
export function writeOutput(fd: 1 | 2, text: string | Uint8Array): boolean {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "EPIPE" || errno === "EBADF" || errno === "ECONNRESET") return false;
      if (errno !== "EAGAIN") throw error;
      // A full pipe in non-blocking mode: give its reader a moment.
      Atomics.wait(sleeper, 0, 0, FULL_PIPE_MS);
    }
  }
  return true;
}
