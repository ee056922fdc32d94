import { constants, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileSystem } from "../../../files/index.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, withFileErrors, writeAllBytes, syncFile } from "../../../files/index.ts";
import type { ArchiveTaker } from "../archive/read-archive.ts";

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Checks a backup without storing anything. */
export const CHECK_ONLY: ArchiveTaker = { begin: () => undefined, take: () => undefined, end: () => undefined };

/** Unpacks the files of a backup into a folder of this process, each synced to the disk. The caller closes it. */
export function createStage(fs: FileSystem, folder: string): ArchiveTaker & { close(): void } {
  let fd: number | undefined;
  let current = folder;
  const close = (): void => {
    if (fd !== undefined) fs.closeSync(fd);
    fd = undefined;
  };
  const save = <Result>(run: () => Result): Result => withFileErrors("restore", current, run);
  return {
    begin: (path) => {
      current = join(folder, path);
      save(() => {
        mkdirSync(dirname(current), { recursive: true, mode: PRIVATE_FOLDER });
        fd = fs.openSync(current, NEW_FILE, PRIVATE_FILE);
      });
    },
    take: (bytes) => save(() => writeAllBytes(fs, fd ?? -1, bytes)),
    end: () =>
      save(() => {
        syncFile(fs, fd ?? -1);
        close();
      }),
    close,
  };
}
