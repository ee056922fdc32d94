import { constants } from "node:fs";
import type { FileSystem } from "../../files/index.ts";

/**
 * A file system for a folder that belongs to this daemon. Once the folder is another, each call that would make, move
 * or remove a file throws ESTALE: another daemon may be at work under the same paths. Open files stay open.
 */
export function createOwnFileSystem(fs: FileSystem, isOwn: () => boolean): FileSystem {
  const check = (path: unknown): void => {
    if (isOwn()) return;
    throw Object.assign(new Error(`ESTALE: the folder is another by now, '${String(path)}'`), { code: "ESTALE" });
  };
  const guarded = <Name extends "mkdirSync" | "rmdirSync" | "unlinkSync" | "linkSync" | "renameSync">(name: Name) =>
    ((...args: unknown[]) => {
      check(args[0]);
      return (fs[name] as (...args: unknown[]) => unknown)(...args);
    }) as unknown as FileSystem[Name];
  return {
    ...fs,
    mkdirSync: guarded("mkdirSync"),
    rmdirSync: guarded("rmdirSync"),
    unlinkSync: guarded("unlinkSync"),
    linkSync: guarded("linkSync"),
    renameSync: guarded("renameSync"),
    openSync: (path, flags, mode) => {
      if (typeof flags !== "number" || (flags & constants.O_CREAT) !== 0) check(path);
      return fs.openSync(path, flags, mode);
    },
  };
}
