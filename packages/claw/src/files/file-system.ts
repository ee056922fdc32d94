import type nodeFs from "node:fs";
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { createWindowsFileSystem } from "./windows-file-system.ts";

/**
 * The file calls claw stores things with, named and behaving as in `node:fs`. Synchronous: a stored line is
 * on disk or reported before the next statement runs. Tests put a failing one in its place.
 */
export type FileSystem = Pick<
  typeof nodeFs,
  | "openSync"
  | "closeSync"
  | "readSync"
  | "writeSync"
  | "fsync"
  | "fsyncSync"
  | "fdatasync"
  | "ftruncateSync"
  | "fstatSync"
  | "lstatSync"
  | "readdirSync"
  | "mkdirSync"
  | "rmdirSync"
  | "unlinkSync"
  | "linkSync"
  | "renameSync"
>;

/** Named one by one: the bundler copies a module that is imported as a whole. Serves the rows of `cold-start`. */
const ofNode: FileSystem = {
  openSync,
  closeSync,
  readSync,
  writeSync,
  fsync,
  fsyncSync,
  fdatasync,
  ftruncateSync,
  fstatSync,
  lstatSync,
  readdirSync,
  mkdirSync,
  rmdirSync,
  unlinkSync,
  linkSync,
  renameSync,
};

export const fileSystemFor = (platform: NodeJS.Platform): FileSystem =>
  platform === "win32" ? createWindowsFileSystem(ofNode) : ofNode;

export const nodeFileSystem: FileSystem = fileSystemFor(process.platform);
