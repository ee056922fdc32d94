import { closeSync, openSync, readSync } from "node:fs";

/** Holds what is read of most files at once. The whole table of processes is read with it, so it is made once. */
const buffer = Buffer.alloc(64 * 1024);

/** All of a file of the kernel's; undefined when it is not there, not for this user, or the system has no /proc. */
export function readProc(path: string): string | undefined {
  try {
    const fd = openSync(path, "r");
    try {
      return readAll(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The process is gone, or another user's.
    return undefined;
  }
}

function readAll(fd: number): string {
  let text = "";
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null);
    text += buffer.toString("latin1", 0, length);
    if (length < buffer.length) return text;
  }
}
