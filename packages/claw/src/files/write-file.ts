import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "./file-error.ts";
import { syncData, syncFile, syncFolder } from "./disk-sync.ts";
import type { FileSystem } from "./file-system.ts";

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Writes every byte; continues after a short write. */
export function writeAllBytes(fs: FileSystem, fd: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) offset += fs.writeSync(fd, bytes, offset);
}

export const randomSuffix = (): string => Math.random().toString(36).slice(2, 10);

/** Removes a temporary file that only this process uses. When the disk refuses twice, the file stays without harm. */
function removeTemporary(fs: FileSystem, path: string): void {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      fs.unlinkSync(path);
      return;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }
}

export interface AtomicFile {
  readonly write: (text: string | Uint8Array) => void;
  /** Resolves when all text written up to now is on the disk, to spare `commit` the wait. */
  readonly flush: () => Promise<void>;
  /**
   * Puts the file in place, synced. With `exclusive`, throws EEXIST if the file appeared meanwhile. Without `syncName`,
   * a power cut can bring the old file back.
   */
  readonly commit: (options?: { exclusive?: boolean; syncName?: boolean }) => void;
  /** Removes the temporary file. The caller calls this at the end, with or without a commit. */
  readonly discard: () => void;
}

/** Replaces a file atomically: after a crash, the path holds either the old file or the whole new file. */
export function createAtomicFile(fs: FileSystem, path: string, mode: number = PRIVATE_FILE): AtomicFile {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomSuffix()}.tmp`);
  const fd = fs.openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  let open = true;
  let gone = false;
  const close = (): void => {
    if (!open) return;
    open = false;
    fs.closeSync(fd);
  };
  return {
    write: (text) => writeAllBytes(fs, fd, typeof text === "string" ? Buffer.from(text) : text),
    flush: () => syncData(fs, fd),
    commit: ({ exclusive = false, syncName = true } = {}) => {
      syncFile(fs, fd);
      close();
      if (exclusive) fs.linkSync(temporary, path);
      else fs.renameSync(temporary, path);
      gone = !exclusive;
      if (syncName) syncFolder(fs, dirname(path));
    },
    discard: () => {
      if (gone) return;
      gone = true;
      try {
        close();
      } finally {
        removeTemporary(fs, temporary);
      }
    },
  };
}

/** Writes a whole file at once, atomically. */
export function writeFileAtomically(
  fs: FileSystem,
  path: string,
  text: string,
  options: { mode?: number; exclusive?: boolean; syncName?: boolean } = {},
): void {
  const file = createAtomicFile(fs, path, options.mode);
  try {
    file.write(text);
    file.commit({ exclusive: options.exclusive ?? false, syncName: options.syncName ?? true });
  } finally {
    file.discard();
  }
}

/** Writes a file that no other process knows yet. It is not synced: a power cut may lose it. Throws EEXIST. */
export function writeUnsynced(fs: FileSystem, path: string, text: string): void {
  const fd = fs.openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE);
  let isWritten = false;
  try {
    writeAllBytes(fs, fd, Buffer.from(text));
    isWritten = true;
  } finally {
    fs.closeSync(fd);
    if (!isWritten) removeTemporary(fs, path);
  }
}
