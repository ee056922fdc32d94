import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { parseObject } from "claw-contract";
import { errnoOf } from "./file-error.ts";

export type SmallFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unusable"; readonly why: string };

const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

const unusable = (why: string): SmallFile => ({ kind: "unusable", why });

/** Reads a small text file that may be anything: a pipe is not waited for, a huge file is not read. Never throws. */
export function readSmallFile(path: string, maxBytes: number): SmallFile {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return unusable("it is no regular file");
    if (stats.size > maxBytes) return unusable(`it is larger than ${maxBytes} bytes`);
    return { kind: "text", text: readFileSync(fd, "utf8") };
  } catch (error) {
    const errno = errnoOf(error) ?? "unknown";
    return ABSENT.has(errno) ? { kind: "absent" } : unusable(`it cannot be read (${errno})`);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The members of the JSON object in a small file; undefined when there is no such file or object. Never throws. */
export function readJsonFile<Value>(path: string, maxBytes: number): Partial<Value> | undefined {
  const file = readSmallFile(path, maxBytes);
  return file.kind === "text" ? (parseObject(file.text) as Partial<Value> | undefined) : undefined;
}
