import { constants } from "node:fs";
import type { FileSystem } from "./file-system.ts";

/** Returns when all of an open file, with its size and times, survives a power cut. Throws the error of the system. */
export const syncFile = (fs: FileSystem, fd: number): void => fs.fsyncSync(fd);

const promised = (sync: FileSystem["fsync"], fd: number): Promise<void> =>
  new Promise((resolve, reject) => sync(fd, (error) => (error ? reject(error) : resolve())));

/** Resolves when the bytes of an open file survive a power cut. Rejects with the error of the system. */
export const syncData = (fs: FileSystem, fd: number): Promise<void> => promised(fs.fdatasync, fd);

/** Makes creations, renames and removals in a folder survive a power cut. Throws the error of the system. */
export function syncFolder(fs: FileSystem, folder: string): void {
  const fd = fs.openSync(folder, constants.O_RDONLY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Does the same as `syncFolder`, and other work of this process goes on meanwhile. */
export async function syncFolderLater(fs: FileSystem, folder: string): Promise<void> {
  const fd = fs.openSync(folder, constants.O_RDONLY);
  try {
    await promised(fs.fsync, fd);
  } finally {
    fs.closeSync(fd);
  }
}
