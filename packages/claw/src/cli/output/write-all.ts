import { write } from "node:fs";
import { errnoOf } from "../../files/index.ts";

const FULL_PIPE_MS = 5;
const HUNG_UP: ReadonlySet<string | undefined> = new Set(["EPIPE", "EBADF", "ECONNRESET"]);

/** A single system write, which may take only part of the bytes. A full non-blocking pipe takes none for now. */
function writeSome(fd: 1 | 2, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, (error, written) => {
      if (error === null) resolve(written);
      else if (errnoOf(error) === "EAGAIN") setTimeout(() => resolve(0), FULL_PIPE_MS);
      else reject(error);
    });
  });
}

/** Writes without blocking the program, nothing else meanwhile. Resolves with false when the reader has hung up; rejects when writing fails. */
export async function writeAll(fd: 1 | 2, bytes: Uint8Array): Promise<boolean> {
  try {
    for (let offset = 0; offset < bytes.length;) offset += await writeSome(fd, bytes.subarray(offset));
    return true;
  } catch (error) {
    if (HUNG_UP.has(errnoOf(error))) return false;
    throw error;
  }
}

/**
 * Writes to a stream, each call after the calls before it. A system write takes only a part of what a pipe has no room
 * for, so the bytes of two calls at a time would mix.
 */
export function createOrderedWriter(fd: 1 | 2): (bytes: Uint8Array) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes) => {
    const written = last.then(() => writeAll(fd, bytes));
    // A failure belongs to the call whose bytes could not be written.
    last = written.catch(() => undefined);
    return written;
  };
}
