import { chmodSync, fchmodSync, fchownSync } from "node:fs";

/** Mode, user and group of a file. */
export interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Modes and owners of files. */
export interface FileModes {
  /** Sets the mode of a file or a folder. Throws the error of the system. */
  setMode(path: string, mode: number): void;
  /** Gives an open file, whose owner is `now`, to another owner, then sets its mode. Throws the error of the system. */
  setOwner(fd: number, owner: FileOwner, now: Pick<FileOwner, "uid" | "gid">): void;
  /** Sets the mask of modes for all new files of this process. Returns the mask before. */
  setMask(mask: number): number;
}

const posixModes: FileModes = {
  setMode: chmodSync,
  setOwner: (fd, { mode, uid, gid }, now) => {
    if (uid !== now.uid || gid !== now.gid) fchownSync(fd, uid, gid);
    fchmodSync(fd, mode);
  },
  setMask: (mask) => process.umask(mask),
};

/**
 * A mode on Windows has one bit, which makes a file read-only. claw sets none: a file there is as private as its folder,
 * which the user's profile keeps to the user.
 */
const noModes: FileModes = { setMode: () => undefined, setOwner: () => undefined, setMask: () => 0 };

export const fileModesFor = (platform: NodeJS.Platform): FileModes => (platform === "win32" ? noModes : posixModes);

export const fileModes: FileModes = fileModesFor(process.platform);
