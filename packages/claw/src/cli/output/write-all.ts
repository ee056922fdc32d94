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

/** Writes without blocking the program. Resolves with false when the reader has hung up; rejects when writing fails. */
export async function writeAll(fd: 1 | 2, bytes: Uint8Array): Promise<boolean> {
  try {
    for (let offset = 0; offset < bytes.length;) offset += await writeSome(fd, bytes.subarray(offset));
    return true;
  } catch (error) {
    if (HUNG_UP.has(errnoOf(error))) return false;
    throw error;
  }
}
