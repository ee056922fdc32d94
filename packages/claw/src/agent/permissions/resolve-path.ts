import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { ClawError, trimEndOf } from "claw-contract";
import { errnoOf, fileError } from "../../files/index.ts";

export interface PathContext {
  /** Absolute and free of links: where relative paths begin. */
  readonly cwd: string;
  /** The folder that `~` stands for; undefined leaves `~` as it is. */
  readonly home?: string | undefined;
}

/** As many links as the kernel follows. */
const MAX_LINKS = 40;
const ABSENT = new Set(["ENOENT", "ENOTDIR"]);
const NOT_WELL_FORMED = /\p{Surrogate}/u;

function throwUnresolved(path: string, why: string): never {
  const shown = path.replaceAll("\0", "\\0");
  throw new ClawError("FILESYSTEM_ERROR", `cannot resolve ${shown}: ${why}`, {
    operation: "resolve_path",
    target: shown,
    hint: "Give the path of a file, in plain characters.",
  });
}

function expandHome(path: string, home: string | undefined): string {
  if (home === undefined) return path;
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** The target of the link at `path`; null when a file, a folder or no entry is there. */
function linkTarget(path: string, given: string): string | null {
  try {
    if (!lstatSync(path).isSymbolicLink()) return null;
    const target = readlinkSync(path, { encoding: "buffer" });
    const text = target.toString();
    return Buffer.from(text).equals(target) ? text : throwUnresolved(given, "a link on its way has no readable target");
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return null;
    throw fileError(error, "resolve_path", given);
  }
}

/**
 * The absolute path, free of links, that the kernel would find for `given`: a link is followed before a `..` behind it.
 * Parts that do not exist yet are kept. Throws ClawError for a path that names no file: empty, loops of links, NUL,
 * broken characters.
 */
export function resolvePath(given: string, { cwd, home }: PathContext): string {
  if (given === "") throwUnresolved("''", "it is empty");
  if (given.includes("\0")) throwUnresolved(given, "it holds a NUL character");
  if (NOT_WELL_FORMED.test(given)) throwUnresolved(given, "it holds broken characters");
  const path = expandHome(given, home);
  const parts = (isAbsolute(path) ? path : `${cwd}/${path}`).split("/").reverse();
  let current = "/";
  let links = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    const target = linkTarget(next, given);
    if (target === null) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throwUnresolved(given, "its links lead in circles");
    if (isAbsolute(target)) current = "/";
    parts.push(...target.split("/").reverse());
  }
  return current;
}

/**
 * The path of the entry itself: a link at the end is not followed. Removing or renaming `given` would touch this entry.
 */
export function resolveEntry(given: string, context: PathContext): string {
  const trimmed = trimEndOf(given, "/");
  const cut = trimmed.lastIndexOf("/");
  const name = trimmed.slice(cut + 1);
  if (["", ".", "..", "~"].includes(name)) return resolvePath(given, context);
  return join(resolvePath(cut < 0 ? "." : trimmed.slice(0, cut + 1), context), name);
}
