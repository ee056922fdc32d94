import { errnoOf } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";

const linkError = (path: string): Error =>
  Object.assign(new Error(`ELOOP: ${path} is a symbolic link`), { code: "ELOOP", syscall: "open", path });

/**
 * The file calls on Windows, which lacks two things of other systems. No flag refuses a link, so each file is looked at
 * before it is opened. And a folder cannot be synced: NTFS stores changes of a folder in its own log.
 */
export function createWindowsFileSystem(base: FileSystem): FileSystem {
  const refusesFolder = (error: unknown, fd: number): boolean =>
    errnoOf(error) === "EPERM" && base.fstatSync(fd).isDirectory();
  return {
    ...base,
    openSync: (path, flags, mode) => {
      if (base.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkError(String(path));
      return base.openSync(path, flags, mode);
    },
    fsyncSync: (fd) => {
      try {
        base.fsyncSync(fd);
      } catch (error) {
        if (!refusesFolder(error, fd)) throw error;
      }
    },
    fsync: ((fd: number, done: (error: NodeJS.ErrnoException | null) => void) =>
      base.fsync(fd, (error) => done(refusesFolder(error, fd) ? null : error))) as FileSystem["fsync"],
  };
}
