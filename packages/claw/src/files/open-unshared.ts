import { constants } from "node:fs";
import type { FileSystem } from "./file-system.ts";
import { createAtomicFile, PRIVATE_FILE } from "./write-file.ts";

const CHUNK_BYTES = 64 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Puts a copy of a file in its place, which only this path names. */
function replaceByCopy(fs: FileSystem, path: string, mode: number): void {
  const source = fs.openSync(path, READ);
  try {
    const copy = createAtomicFile(fs, path, mode);
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let size: number;
      for (let at = 0; (size = fs.readSync(source, chunk, 0, chunk.length, at)) > 0; at += size) {
        copy.write(chunk.subarray(0, size));
      }
      copy.commit();
    } finally {
      copy.discard();
    }
  } finally {
    fs.closeSync(source);
  }
}

/**
 * Opens a file that is written in place. A file with a second hard link is replaced by a copy first, so that what is
 * written does not appear under the other name, which may lie anywhere. Throws the error of the system; the caller
 * closes what is opened.
 */
export function openUnshared(fs: FileSystem, path: string, flags: number, mode: number = PRIVATE_FILE): number {
  const fd = fs.openSync(path, flags, mode);
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || stats.nlink <= 1) return fd;
    replaceByCopy(fs, path, mode);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  fs.closeSync(fd);
  return fs.openSync(path, flags, mode);
}
